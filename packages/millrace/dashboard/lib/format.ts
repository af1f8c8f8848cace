// Numbers, durations and moments as people read them. Pure, so that tests need no browser.

const NUMBER = new Intl.NumberFormat("en-US");

/** A number with separators: `1,204`. */
export function count(value: number): string {
  return NUMBER.format(value);
}

/** `1 job`, `1,204 jobs`. */
export function plural(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}

/** A number in few characters: `3.4k`. */
export function compact(value: number): string {
  if (value === 0) return "0";
  if (value < 10) return String(Math.round(value * 10) / 10);
  if (value < 10_000) return count(Math.round(value));
  if (value < 1_000_000) return `${Math.round(value / 100) / 10}k`;
  return `${Math.round(value / 100_000) / 10}M`;
}

/** Milliseconds in words: `850 ms`, `3.4 s`, `2 min`. */
export function duration(ms: number): string {
  if (ms < 1) return ms <= 0 ? "0 ms" : "<1 ms";
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  const seconds = ms / 1_000;
  if (seconds < 10) return `${Math.round(seconds * 10) / 10} s`;
  if (seconds < 60) return `${Math.round(seconds)} s`;
  if (seconds < 3_600) return twoParts(seconds / 60, "min", 60, "s");
  if (seconds < 86_400) return twoParts(seconds / 3_600, "h", 60, "min");
  return twoParts(seconds / 86_400, "d", 24, "h");
}

/** On an axis: one number and its unit, nothing for nothing. */
export function axisDuration(ms: number): string {
  if (ms === 0) return "0";
  if (ms < 1_000) return `${round(ms)} ms`;
  if (ms < 60_000) return `${round(ms / 1_000)} s`;
  if (ms < 3_600_000) return `${round(ms / 60_000)} min`;
  return `${round(ms / 3_600_000)} h`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function twoParts(value: number, unit: string, per: number, small: string): string {
  const whole = Math.floor(value);
  const rest = Math.floor((value - whole) * per + 1e-6);
  return rest === 0 || whole >= 10 ? `${whole} ${unit}` : `${whole} ${unit} ${rest} ${small}`;
}

/** `5 s ago`, `in 3 min`. */
export function relative(at: number, now: number): string {
  const away = at - now;
  const size = Math.abs(away);
  if (size < 1_500) return "now";
  const text = coarse(size);
  return away > 0 ? `in ${text}` : `${text} ago`;
}

function coarse(ms: number): string {
  const seconds = Math.round(ms / 1_000);
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3_600)} h`;
  return plural(Math.floor(seconds / 86_400), "day");
}

/** Undefined: the zone of the reader. */
let shownZone: string | undefined;

/** Sets the zone of all times that are shown from now on. */
export function showTimesIn(timeZone: string | undefined): void {
  shownZone = timeZone;
}

function zoneOf(timeZone: string | undefined): { timeZone?: string } {
  return timeZone === undefined ? {} : { timeZone };
}

/** The short name of a zone at a time: `UTC`, `CET`, `GMT+2`. */
export function zoneName(at: number, timeZone = shownZone): string {
  const parts = new Intl.DateTimeFormat("en-GB", { timeZoneName: "short", ...zoneOf(timeZone) }).formatToParts(at);
  return parts.find(({ type }) => type === "timeZoneName")?.value ?? "";
}

/** A date and time with its zone: `18 Nov 2026, 10:00:00 CET`. */
export function exact(at: number, timeZone = shownZone): string {
  const options = { year: "numeric", month: "short", day: "numeric", ...zoneOf(timeZone) } as const;
  const date = new Date(at).toLocaleDateString("en-GB", options);
  return `${date}, ${clock(at, true, timeZone)} ${zoneName(at, timeZone)}`;
}

/** The time of day: `10:00`. The zone stands where these times are shown together. */
export function clock(at: number, withSeconds = false, timeZone = shownZone): string {
  const seconds = withSeconds ? ({ second: "2-digit" } as const) : {};
  const options = { hour: "2-digit", minute: "2-digit", ...seconds, ...zoneOf(timeZone) } as const;
  return new Date(at).toLocaleTimeString("en-GB", options);
}

/** A size in words: `1.5 MB`. */
export function bytes(value: number): string {
  if (value < 1_000) return `${value} B`;
  if (value < 1_000_000) return `${Math.round(value / 1_000)} kB`;
  if (value < 1_000_000_000) return `${Math.round(value / 100_000) / 10} MB`;
  return `${Math.round(value / 100_000_000) / 10} GB`;
}

/** A payload in one line. */
export function preview(value: unknown, most = 160): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  return text.length > most ? `${text.slice(0, most)}…` : text;
}
