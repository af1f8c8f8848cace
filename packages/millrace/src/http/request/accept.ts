/**
 * A scraper names text/plain or OpenMetrics above all else that we can answer with, also when it would like protobuf best;
 * people and programs ask for JSON or for anything.
 */
export function wantsPrometheus(request: Request): boolean {
  const accept = request.headers.get("accept");
  if (accept === null) return false;
  const wishes = accept.split(",").map(wishOf);
  const most = (types: readonly string[]) => Math.max(0, ...wishes.filter(({ type }) => types.includes(type)).map(qOf));
  return most(TEXT) > most(JSON_OR_ANY);
}

interface AcceptedType {
  readonly type: string;
  readonly q: number;
}

const TEXT = ["text/plain", "application/openmetrics-text"];
const JSON_OR_ANY = ["application/json", "application/*", "*/*"];

function wishOf(range: string): AcceptedType {
  const [type = "", ...parameters] = range.split(";").map((part) => part.trim().toLowerCase());
  const q = parameters.find((parameter) => parameter.startsWith("q="));
  return { type, q: q === undefined ? 1 : Number(q.slice(2)) || 0 };
}

function qOf({ q }: AcceptedType): number {
  return q;
}
