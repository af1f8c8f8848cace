// Environment and .env -> one frozen Config. Nothing else in the code base reads the environment.

import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { lookalikes } from "./config/lookalikes.ts";
import { type PoolOverrides, parsePools } from "./config/pools.ts";
import type { Setting, Surroundings } from "./config/setting.ts";
import { SETTINGS, type Settings } from "./config/settings.ts";
import { modelProblems } from "./config/site-settings.ts";

const RENDER_RETENTION_MS = 3_600_000;

export type Config = Settings & {
  readonly pools: PoolOverrides;
  /** Of diagrams: an hour while JOB_RETENTION_MS has its default, else the same. */
  readonly renderRetentionMs: number;
};
export type Environment = Readonly<Record<string, string | undefined>>;

export type LoadedConfig =
  | { readonly ok: true; readonly config: Config; readonly warnings: readonly string[] }
  | { readonly ok: false; readonly problems: readonly string[] };

export interface LoadOptions {
  /** A server follows from this config, so HOST and API_KEY must fit each other. An embedded engine opens no port. */
  readonly listens?: boolean;
  readonly terminal?: boolean;
  readonly cores?: number;
}

/** Pure: the same environment gives the same answer. A setting that is set but empty counts as not set. */
export function loadConfig(env: Environment, options: LoadOptions = {}): LoadedConfig {
  const surroundings: Surroundings = {
    postgres: given(env, SETTINGS.databaseUrl) !== undefined,
    terminal: options.terminal ?? false,
    cores: options.cores ?? availableParallelism(),
  };
  const problems: string[] = [];
  const values: Record<string, unknown> = {};
  for (const [property, setting] of Object.entries(SETTINGS)) {
    values[property] = read(setting, env, surroundings, problems);
  }
  const { pools, problems: poolProblems } = parsePools(env);
  const { jobRetentionMs } = values;
  const isDefault = jobRetentionMs === SETTINGS.jobRetentionMs.fallback(surroundings);
  const renderRetentionMs = isDefault ? RENDER_RETENTION_MS : jobRetentionMs;
  const config = Object.freeze({ ...values, pools, renderRetentionMs }) as Config;
  problems.push(...poolProblems, ...contradictions(config, env, options));
  return problems.length > 0 ? { ok: false, problems } : { ok: true, config, warnings: lookalikes(Object.keys(env)) };
}

/** The process's environment over the `.env` of the working folder: what the caller sets wins over the file. */
export function readEnvironment(folder = process.cwd()): Environment {
  return { ...parseEnv(readIfThere(join(folder, ".env"))), ...process.env };
}

export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127\.\d+\.\d+\.\d+$/.test(host);
}

function read(setting: Setting<unknown>, env: Environment, surroundings: Surroundings, problems: string[]): unknown {
  const found = given(env, setting);
  if (found === undefined) return setting.fallback(surroundings);
  const parsed = setting.parse(found.text);
  if ("value" in parsed) return parsed.value;
  const shown = setting.secret ? "is not valid" : `is "${found.text}"`;
  problems.push(`${found.name} ${shown}. Allowed: ${parsed.allowed}.`);
  return setting.fallback(surroundings);
}

function given(env: Environment, setting: Setting<unknown>): { name: string; text: string } | undefined {
  for (const name of [setting.name, setting.alias]) {
    const text = name === undefined ? undefined : env[name]?.trim();
    if (name !== undefined && text) return { name, text };
  }
  return undefined;
}

function contradictions(config: Config, env: Environment, options: LoadOptions): string[] {
  const problems: string[] = [];
  if (given(env, SETTINGS.databaseUrl) && given(env, SETTINGS.jobDbPath)) {
    problems.push("DATABASE_URL and JOB_DB_PATH are both set. Choose: PostgreSQL by the first, SQLite by the second.");
  }
  problems.push(...modelProblems(config));
  if (config.retryMaxMs < config.retryBaseMs) {
    problems.push(`RETRY_MAX_MS is ${config.retryMaxMs}. Allowed: RETRY_BASE_MS (${config.retryBaseMs}) or more.`);
  }
  if (options.listens && !isLoopback(config.host) && !given(env, SETTINGS.apiKey) && !config.allowAnonymous) {
    problems.push(
      `HOST is "${config.host}" and there is no API_KEY. Allowed: set API_KEY, or HOST=127.0.0.1, ` +
        "or ALLOW_ANONYMOUS=true to make everyone who reaches the server its administrator.",
    );
  }
  return problems;
}

function readIfThere(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return "";
    throw error;
  }
}
