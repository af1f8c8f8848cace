import { isPublicAddress, literalAddress } from "./address.ts";
import { FetchFault } from "./fault.ts";

/** What the operator lets the fetcher reach. The user who submits a site cannot change it. */
export interface FetchPolicy {
  /** Ports beside 80 and 443. */
  readonly ports: readonly number[];
  /** Exact `host:port` that may be private: the operator's own site under test, say. */
  readonly allow: ReadonlySet<string>;
  /** All addresses of a name. The system's resolver, unless a test has its own. */
  readonly resolve: (host: string) => Promise<readonly string[]>;
}

export interface FetchTarget {
  readonly url: URL;
  /** As a socket takes it: without brackets. */
  readonly host: string;
  readonly port: number;
  /** The operator named this very host and port, so its address may be private. */
  readonly allowed: boolean;
}

const USUAL_PORTS = [80, 443];
const MAX_URL_CHARS = 2_000;

/** All that can be said of a URL before its name is looked up; throws `bad-url` or `blocked-address`. */
export function checkTarget(text: string | URL, policy: Pick<FetchPolicy, "ports" | "allow">): FetchTarget {
  const url = parse(text);
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw new FetchFault("bad-url", `Only http and https addresses are fetched, not "${url.protocol}".`);
  }
  if (url.username !== "" || url.password !== "") {
    throw new FetchFault("bad-url", "An address with a user name or password is not fetched.");
  }
  const port = url.port === "" ? (url.protocol === "https:" ? 443 : 80) : Number(url.port);
  const name = url.hostname.toLowerCase();
  if (name === "" || name === ".") throw new FetchFault("bad-url", "The address has no host.");
  const allowed = policy.allow.has(`${name}:${port}`);
  if (!allowed) checkPlace(name, port, policy.ports);
  const host = literalAddress(name) ?? name;
  return { url, host, port, allowed };
}

function checkPlace(name: string, port: number, ports: readonly number[]): void {
  if (!USUAL_PORTS.includes(port) && !ports.includes(port)) {
    throw new FetchFault("blocked-address", `Port ${port} is not allowed.`);
  }
  const literal = literalAddress(name);
  if (literal !== undefined && !isPublicAddress(literal)) {
    throw new FetchFault("blocked-address", `${literal} is not a public address.`);
  }
}

function parse(text: string | URL): URL {
  if (String(text).length > MAX_URL_CHARS) {
    throw new FetchFault("bad-url", `The address is longer than ${MAX_URL_CHARS} characters.`);
  }
  try {
    return new URL(text);
  } catch {
    throw new FetchFault("bad-url", "This is not a web address.");
  }
}
