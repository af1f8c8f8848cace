/** One request, as a web server wrote it down. */
export interface LoggedRequest {
  readonly ip: string;
  /** Without its query. */
  readonly path: string;
  readonly status: number;
  readonly agent: string;
  /** The day, as 2026-11-19. Empty where the line has no time that can be read. */
  readonly day: string;
}

const COMBINED =
  /^(?:\S+:\d+ )?(\S+) \S+ \S+ \[([^\]]{1,60})\] "(?:[A-Z]{3,10}) (\S{1,4000})[^"]*" (\d{3}) \S+ "(?:[^"\\]|\\.)*" "((?:[^"\\]|\\.)*)"/;

/** Combined log format (Apache, nginx), or one JSON object per line (Caddy, nginx, Cloudflare, Vercel). */
export function parseLine(line: string): LoggedRequest | undefined {
  return line.startsWith("{") ? fromJson(line) : fromCombined(line);
}

function fromCombined(line: string): LoggedRequest | undefined {
  const found = COMBINED.exec(line);
  if (found === null) return undefined;
  const [, ip = "", time = "", target = "", status = "", agent = ""] = found;
  return { ip, path: pathOf(target), status: Number(status), agent, day: dayOf(time) };
}

function fromJson(line: string): LoggedRequest | undefined {
  let entry: unknown;
  try {
    entry = JSON.parse(line);
  } catch {
    return undefined;
  }
  const at = (...names: string[]) => names.map((name) => deep(entry, name)).find((value) => value !== undefined);
  const agent = at(
    "request.headers.User-Agent",
    "http_user_agent",
    "user_agent",
    "userAgent",
    "ClientRequestUserAgent",
    "agent",
  );
  const ip = at("request.client_ip", "request.remote_ip", "remote_addr", "client_ip", "clientIp", "ClientIP", "ip");
  const target = at("request.uri", "request_uri", "uri", "path", "ClientRequestURI", "url");
  const status = Number(at("status", "EdgeResponseStatus", "statusCode", "response.status"));
  const agentText = [agent].flat()[0];
  if (
    typeof agentText !== "string" ||
    typeof ip !== "string" ||
    typeof target !== "string" ||
    !Number.isInteger(status)
  )
    return undefined;
  return {
    ip,
    path: pathOf(target),
    status,
    agent: agentText,
    day: dayOf(at("ts", "time", "timestamp", "time_iso8601", "EdgeStartTimestamp", "date")),
  };
}

function deep(entry: unknown, path: string): unknown {
  let value: unknown = entry;
  for (const name of path.split(".")) {
    if (typeof value !== "object" || value === null) return undefined;
    value = (value as Record<string, unknown>)[name];
  }
  return value;
}

function pathOf(target: string): string {
  const path = /^https?:\/\//i.test(target) && URL.canParse(target) ? new URL(target).pathname : target;
  return path.split(/[?#]/)[0] as string;
}

const MONTHS = "JanFebMarAprMayJunJulAugSepOctNovDec";

/** "19/Nov/2026:20:11:08 +0000", seconds since 1970, or an ISO 8601 string. */
function dayOf(time: unknown): string {
  if (typeof time === "number") return isoDay(time > 1e14 ? time / 1e6 : time > 1e11 ? time : time * 1_000);
  if (typeof time !== "string") return "";
  const found = /^(\d{2})\/([A-Z][a-z]{2})\/(\d{4})/.exec(time);
  if (found !== null) {
    const month = MONTHS.indexOf(found[2] as string) / 3 + 1;
    return `${found[3]}-${String(month).padStart(2, "0")}-${found[1]}`;
  }
  return /^\d{4}-\d{2}-\d{2}/.exec(time)?.[0] ?? "";
}

function isoDay(ms: number): string {
  return Number.isFinite(ms) && Math.abs(ms) < 8e15 ? new Date(ms).toISOString().slice(0, 10) : "";
}
