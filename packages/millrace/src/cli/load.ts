import type { Setting } from "../config/setting.ts";
import { SETTINGS } from "../config/settings.ts";
import { type Config, type Environment, loadConfig, readEnvironment, type WorkloadSettings } from "../config.ts";
import { UsageError } from "./arguments/command.ts";

/** Flags that stand for a setting, and win over it. */
export interface StoreFlags {
  /** The port to listen on. Default: `PORT`. */
  readonly port?: string | undefined;
  /** The address to listen on. Default: `HOST`. */
  readonly host?: string | undefined;
  /** The SQLite file, or the URL of a PostgreSQL database. Default: `JOB_DB_PATH` or `DATABASE_URL`. */
  readonly db?: string | undefined;
}

/** The settings from the environment and `.env`. If some are invalid, prints all problems and exits with 2. */
export function loadConfigOrComplain({
  flags = {},
  ...options
}: {
  readonly listens: boolean;
  readonly workloads?: readonly WorkloadSettings[];
  readonly flags?: StoreFlags;
}): Config {
  const env = withFlags(readEnvironment(), flags);
  const loaded = loadConfig(env, { ...options, terminal: process.stdout.isTTY });
  if (!loaded.ok) throw new SettingsError(loaded.problems);
  for (const warning of loaded.warnings) process.stderr.write(`millrace: ${warning}\n`);
  return loaded.config;
}

/** The environment, with the settings that the flags stand for. */
export function withFlags(env: Environment, { port, host, db }: StoreFlags): Environment {
  const given: Record<string, string | undefined> = {};
  if (port !== undefined) given["PORT"] = checked("port", port, SETTINGS.port);
  if (host !== undefined) given["HOST"] = checked("host", host, SETTINGS.host);
  if (db !== undefined) Object.assign(given, { DATABASE_URL: undefined, JOB_DB_PATH: undefined }, storeAt(db));
  return { ...env, ...given };
}

function storeAt(db: string): Record<string, string> {
  if (/^postgres(ql)?:/.test(db)) return { DATABASE_URL: checked("db", db, SETTINGS.databaseUrl) };
  return { JOB_DB_PATH: checked("db", db, SETTINGS.jobDbPath) };
}

/** An empty setting counts as not set; an empty flag is a mistake, often an unset variable of the shell. */
function checked(flag: string, text: string, { parse, secret }: Pick<Setting<unknown>, "parse" | "secret">): string {
  const parsed = parse(text.trim());
  if (text.trim() !== "" && "value" in parsed) return text;
  const allowed = "allowed" in parsed ? ` Allowed: ${parsed.allowed}.` : "";
  throw new UsageError(secret ? `--${flag} is not valid.${allowed}` : `--${flag} is "${text}".${allowed}`);
}

/** Exit code 2 too, but the settings are wrong, not the command line. */
export class SettingsError extends UsageError {
  constructor(problems: readonly string[]) {
    const list = problems.map((problem) => `  - ${problem}`).join("\n");
    super(`these settings are not valid. Change them in the environment or in .env:\n${list}`);
  }
}
