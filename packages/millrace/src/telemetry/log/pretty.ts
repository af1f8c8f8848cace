const COLOURS: Readonly<Record<string, number>> = { debug: 90, info: 32, warn: 33, error: 31 };

/** One JSON log line as a person reads it: time, level, event, then the fields; a stack on lines of its own. */
export function prettyLine(json: string): string {
  const { ts, level, event, stack, ...fields } = JSON.parse(json);
  const words = Object.entries(fields).map(([name, value]) => ` ${colour(90, `${name}=`)}${shown(value)}`);
  const below = typeof stack === "string" ? `\n${stack}` : "";
  return `${colour(90, String(ts).slice(11, 23))} ${colour(COLOURS[level] ?? 0, level.padEnd(5))} ${event}${words.join("")}${below}\n`;
}

function shown(value: unknown): string {
  if (typeof value === "string") return /^[^\s"=]+$/.test(value) ? value : JSON.stringify(value);
  if (isErrorLike(value)) return JSON.stringify(value.code ? `${value.message} (${value.code})` : value.message);
  return JSON.stringify(value);
}

function isErrorLike(value: unknown): value is { message: string; code?: unknown } {
  return typeof value === "object" && value !== null && "message" in value && typeof value.message === "string";
}

function colour(code: number, text: string): string {
  return `\u001b[${code}m${text}\u001b[0m`;
}
