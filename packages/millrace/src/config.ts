// Environment and .env -> one frozen Config. Nothing else in the code base reads the environment.

import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { lookalikes } from "./config/lookalikes.ts";
import { type PoolOverrides, parsePools } from "./config/pools.ts";
import type { Setting, SettingContext, SettingTable } from "./config/setting.ts";
import { type CoreSettings, SETTINGS } from "./config/settings.ts";

/** The effective settings: the values of `CoreSettings`, the overrides of pools, and the settings of workloads. */
export type Config = CoreSettings & {
  readonly pools: PoolOverrides;
  /** The values of each workload's own settings, by its name. */
  readonly ofWorkloads: Readonly<Record<string, unknown>>;
  /** Every setting, the engine's first. */
  readonly tables: readonly SettingGroup[];
};

/** The settings of the engine, or of one workload. */
export interface SettingGroup {
  /** The name of the workload. Missing for the engine. */
  readonly workload?: string;
  /** The settings. */
  readonly settings: SettingTable;
}

/** What a workload brings to the settings. */
export interface WorkloadSettings {
  /** The name of the workload. */
  readonly name: string;
  /** Its settings. Default: none. */
  readonly settings?: SettingTable;
  /** Checks settings that are each valid for contradictions. Default: none. */
  readonly settingProblems?: (settings: never) => readonly string[];
}
export type Environment = Readonly<Record<string, string | undefined>>;

export type LoadedConfig =
  | { readonly ok: true; readonly config: Config; readonly warnings: readonly string[] }
  | { readonly ok: false; readonly problems: readonly string[] };

export interface LoadOptions {
  /** A server follows from this config, so HOST and API_KEY must fit each other. An embedded engine opens no port. */
  readonly listens?: boolean;
  readonly terminal?: boolean;
  readonly cores?: number;
  readonly workloads?: readonly WorkloadSettings[];
}

/** Pure: the same environment gives the same answer. A setting that is set but empty counts as not set. */
export function loadConfig(env: Environment, options: LoadOptions = {}): LoadedConfig {
  const surroundings: SettingContext = {
    postgres: given(env, SETTINGS.databaseUrl) !== undefined,
    terminal: options.terminal ?? false,
    cores: options.cores ?? availableParallelism(),
  };
  const problems: string[] = [];
  const workloads = options.workloads ?? [];
  const values = (table: SettingTable) =>
    Object.fromEntries(
      Object.entries(table).map(([property, setting]) => [property, read(setting, env, surroundings, problems)]),
    );
  const core = values(SETTINGS);
  const ofWorkloads = Object.fromEntries(workloads.map(({ name, settings = {} }) => [name, values(settings)]));
  const { pools, problems: poolProblems } = parsePools(env);
  const tables = settingGroups(workloads);
  const config = Object.freeze({
    ...core,
    pools,
    ofWorkloads: Object.freeze(ofWorkloads),
    tables,
  }) as unknown as Config;
  problems.push(...poolProblems, ...contradictions(config, env, options));
  for (const { name, settingProblems } of workloads) {
    problems.push(...(settingProblems?.(ofWorkloads[name] as never) ?? []));
  }
  if (problems.length > 0) return { ok: false, problems };
  return { ok: true, config, warnings: lookalikes(Object.keys(env), tables) };
}

export function settingGroups(workloads: readonly WorkloadSettings[]): SettingGroup[] {
  const core: SettingGroup = { settings: SETTINGS };
  return [core, ...workloads.flatMap(({ name, settings }) => (settings ? [{ workload: name, settings }] : []))];
}

/** The process's environment over the `.env` of the working folder: what the caller sets wins over the file. */
export function readEnvironment(folder = process.cwd()): Environment {
  return { ...parseEnv(readIfThere(join(folder, ".env"))), ...process.env };
}

export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127\.\d+\.\d+\.\d+$/.test(host);
}

function read(setting: Setting<unknown>, env: Environment, surroundings: SettingContext, problems: string[]): unknown {
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
    problems.push(
      "DATABASE_URL and JOB_DB_PATH are both set. Set DATABASE_URL for PostgreSQL, or JOB_DB_PATH for SQLite.",
    );
  }
  if (config.retryMaxMs < config.retryBaseMs) {
    problems.push(`RETRY_MAX_MS is ${config.retryMaxMs}. Allowed: RETRY_BASE_MS (${config.retryBaseMs}) or more.`);
  }
  if (options.listens && !isLoopback(config.host) && !given(env, SETTINGS.apiKey) && !config.allowAnonymous) {
    problems.push(
      `HOST is "${config.host}" and there is no API_KEY. Set API_KEY, or HOST=127.0.0.1, ` +
        "or ALLOW_ANONYMOUS=true, which makes everyone who can reach the server its administrator.",
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
