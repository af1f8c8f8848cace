import { AppError } from "../../../lib/app-error.ts";
import { isNear } from "../../../lib/near.ts";

/** Connections for writing, per process. Claims, settles, submissions and control each have their own. */
const CONNECTIONS = 6;
const SCHEMA = "millrace";
const OUR_PARAMETERS = ["schema", "connections", "pooler"];
/** Shorter names do not count as misspellings, because too many of them are similar. */
const SHORTEST = 5;
/** The modes of libpq without "allow" and "prefer", because the driver cannot fall back to a connection without TLS. */
const SSL_MODES = ["disable", "require", "verify-ca", "verify-full", "no-verify"];

export type SessionSettings = Readonly<Record<string, string | number>>;

/** What `DATABASE_URL` says: the server, the schema, and whether a pooler is in between. */
export class DatabaseTarget {
  readonly schema: string;
  readonly connections: number;
  /** false: a pooler gives every transaction another session, so nothing may be kept on one. */
  readonly prepare: boolean;
  readonly url: string;
  readonly #given: string;
  readonly #pooler: string | undefined;
  readonly #texts = new Map<string, string>();

  constructor(url: string) {
    const parsed = parse(url);
    this.#given = parsed.href;
    this.schema = removeParameter(parsed, "schema") ?? SCHEMA;
    if (!/^(?!pg_)[a-z_][a-z0-9_]{0,50}$/.test(this.schema)) {
      throw new AppError("options-invalid", `Invalid schema name "${this.schema}".`, {
        hint: "Lower-case letters, digits and _, not starting with a digit.",
      });
    }
    const connections = Number(removeParameter(parsed, "connections") ?? CONNECTIONS);
    if (!Number.isInteger(connections) || connections < 2 || connections > 100) {
      throw new AppError("options-invalid", "connections in the URL must be a number from 2 to 100.");
    }
    this.connections = connections;
    const pooler = removeParameter(parsed, "pooler");
    if (pooler !== undefined && pooler !== "transaction" && pooler !== "session") {
      throw new AppError("options-invalid", "pooler in the URL must be transaction or session.");
    }
    this.#pooler = pooler;
    this.prepare = pooler !== "transaction";
    const sslmode = parsed.searchParams.get("sslmode");
    if (sslmode !== null && !SSL_MODES.includes(sslmode)) {
      throw new AppError("options-invalid", `sslmode in the URL must be one of ${SSL_MODES.join(", ")}.`);
    }
    // Without this the driver reads "require" as "verify-full" and prints a warning.
    if (sslmode !== null && sslmode !== "no-verify") parsed.searchParams.set("uselibpqcompat", "true");
    for (const name of parsed.searchParams.keys()) refuseMisspelt(name);
    this.url = parsed.href;
  }

  /** The URL for people and logs, without the password. */
  get shown(): string {
    const url = new URL(this.#given);
    if (url.password !== "") url.password = "***";
    if (url.searchParams.has("password")) url.searchParams.set("password", "***");
    return url.href;
  }

  /** Statements name the schema "millrace". */
  inSchema(statement: string): string {
    if (this.schema === SCHEMA) return statement;
    let text = this.#texts.get(statement);
    if (text === undefined) {
      // Quoted, because the name may be a keyword of SQL, such as user.
      text = statement.replaceAll("millrace.", `"${this.schema}".`);
      this.#texts.set(statement, text);
    }
    return text;
  }

  /** A pooler refuses to start a session with unknown settings. In a session of our own we can set them afterwards. */
  sessionSettings(settings: SessionSettings): { atStart: SessionSettings; inside: SessionSettings } {
    return {
      atStart: this.#pooler === undefined ? settings : {},
      inside: this.#pooler === "session" ? settings : {},
    };
  }
}

function parse(url: string): URL {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed && (parsed.protocol === "postgres:" || parsed.protocol === "postgresql:")) return parsed;
  throw new AppError("options-invalid", "This is not a PostgreSQL URL.", {
    hint: "postgres://user:password@host:5432/database",
  });
}

/**
 * Parameters of the driver are passed on. A misspelt parameter of ours must be refused, or it would be ignored
 * silently.
 */
function refuseMisspelt(name: string): void {
  const meant = name.length < SHORTEST ? undefined : OUR_PARAMETERS.find((known) => isNear(known, name));
  if (meant === undefined) return;
  throw new AppError("options-invalid", `Unknown parameter "${name}" in the URL. Did you mean ${meant}?`);
}

function removeParameter(url: URL, name: string): string | undefined {
  const value = url.searchParams.get(name) ?? undefined;
  url.searchParams.delete(name);
  return value;
}
