// Figures and texts as people read them.

const UNITS_MS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** Parses `90s`, `10m` or `1h30m` as milliseconds. Undefined for anything else. */
export function parseDuration(text: string): number | undefined {
  if (!/^(?:\d+(?:\.\d+)?(?:ms|[smhd]))+$/.test(text)) return undefined;
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|[smhd])/g)];
  const ms = parts.reduce((sum, [, count, unit]) => sum + Number(count) * UNITS_MS[unit as keyof typeof UNITS_MS], 0);
  return Math.round(ms);
}

/** A time span with two units at most: `850ms`, `3.4s`, `2m 05s`, `3h 20m`, `4d 6h`. */
export function duration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)}ms`;
  if (ms < 60_000) return `${(Math.floor(ms / 100) / 10).toString()}s`;
  if (ms < 3_600_000) return two(ms, "m", "s");
  if (ms < 86_400_000) return two(ms, "h", "m");
  return two(ms, "d", "h");
}

function two(ms: number, large: keyof typeof UNITS_MS, small: keyof typeof UNITS_MS): string {
  const rest = Math.floor((ms % UNITS_MS[large]) / UNITS_MS[small]);
  return `${Math.floor(ms / UNITS_MS[large])}${large}${rest > 0 ? ` ${rest}${small}` : ""}`;
}

/** A time relative to now: `12s ago`, `in 3m`. The date if it is more than 30 days away. */
export function relative(at: string | undefined, now: number): string {
  if (at === undefined) return "";
  const distance = Date.parse(at) - now;
  if (Math.abs(distance) < 1_000) return "now";
  if (Math.abs(distance) > 30 * UNITS_MS.d) return at.slice(0, 10);
  // A time that was set ten minutes ahead a moment ago is in 10m, not in 9m.
  const amount = coarse(distance < 0 ? -distance : Math.ceil(distance / 1_000) * 1_000);
  return distance < 0 ? `${amount} ago` : `in ${amount}`;
}

/** A time span with one unit: in a column, 3m says as much as 3m 12s. */
function coarse(ms: number): string {
  for (const unit of ["d", "h", "m"] as const) {
    if (ms >= UNITS_MS[unit]) return `${Math.floor(ms / UNITS_MS[unit])}${unit}`;
  }
  return `${Math.floor(ms / 1_000)}s`;
}

export function bytes(count: number): string {
  const units = ["B", "KiB", "MiB", "GiB", "TiB"];
  const power = count < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(count) / 10));
  const value = count / 1024 ** power;
  return `${power === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[power]}`;
}

export function percent(share: number | null): string {
  return share === null ? "" : `${(share * 100).toFixed(share === 1 || share === 0 ? 0 : 1)}%`;
}

/** A bar with its share: `████████░░░░ 66%`. */
export function bar(share: number, width = 20): string {
  const full = Math.round(Math.min(1, Math.max(0, share)) * width);
  return `${"█".repeat(full)}${"░".repeat(width - full)} ${String(Math.round(share * 100)).padStart(3)}%`;
}

/** A count with its noun: `1 job`, `2 jobs`. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

// Payloads and errors are written by others: what they contain must not move the cursor or colour the screen.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

/** Text on one line, without characters that a terminal would obey. */
export function oneLine(text: string): string {
  return text
    .replace(/\s*[\r\n]+\s*/g, " ")
    .replace(/\t/g, " ")
    .replace(CONTROL, "\ufffd");
}

/** Text on its own lines, without characters that a terminal would obey. */
export function manyLines(text: string): string {
  return text
    .split(/\r\n|\n|\r/)
    .map(oneLine)
    .join("\n");
}

/** The columns of a terminal that a text takes: east Asian characters and emoji take two, marks none. */
export function widthOf(text: string): number {
  let width = 0;
  for (const letter of text) {
    if (/\p{Mark}|\u200d/u.test(letter)) continue;
    width += WIDE.test(letter) ? 2 : 1;
  }
  return width;
}

const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;

export function shorten(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  let short = "";
  for (const letter of text) {
    if (widthOf(short + letter) > width - 1) break;
    short += letter;
  }
  return `${short}…`;
}
