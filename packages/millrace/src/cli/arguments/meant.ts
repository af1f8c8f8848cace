// What a mistyped command or flag was probably meant to be.

import { editDistance } from "../../lib/near.ts";

/** Words that other tools use for our words. */
const SYNONYMS: Readonly<Record<string, string>> = {
  start: "serve",
  server: "serve",
  run: "work",
  worker: "work",
  watch: "dev",
  add: "submit",
  enqueue: "submit",
  push: "submit",
  send: "submit",
  why: "explain",
  status: "health",
  settings: "config",
  queues: "kinds",
  workers: "pools",
  cron: "schedules list",
  check: "doctor",
  "jobs get": "jobs show",
  "jobs delete": "jobs forget",
  "jobs remove": "jobs forget",
  "jobs revive": "jobs retry",
  "dlq retry": "dlq revive",
  "dlq delete": "dlq discard",
  "dlq purge": "dlq discard",
  "schedules add": "schedules put",
  "schedules create": "schedules put",
  "schedules delete": "schedules remove",
  "keys delete": "keys revoke",
  "keys remove": "keys revoke",
};

const MOST = 3;

/**
 * The commands that were probably meant: `jobs list` for `job list`, `jobs lst` and `list`. There are several if a word
 * fits several.
 */
export function commandsMeant(typed: string, known: readonly string[]): string[] {
  const low = typed.toLowerCase();
  if (known.includes(low)) return [low];
  const synonym = Object.hasOwn(SYNONYMS, low) ? SYNONYMS[low] : undefined;
  if (synonym !== undefined && known.includes(synonym)) return [synonym];
  const groups = known.map((name) => name.split(" ")[0] ?? name);
  const near = closest(low, [...new Set([...known, ...groups])]);
  if (near.length > 0) return near;
  return known.filter((name) => name.endsWith(` ${low.split(" ").at(-1)}`)).slice(0, MOST);
}

/** The flag that was probably meant, without its dashes. */
export function flagMeant(typed: string, known: readonly string[]): string | undefined {
  const low = typed.toLowerCase().replaceAll("_", "-");
  const [near] = closest(low, known);
  if (near !== undefined) return near;
  // --retries for --max-retries, --no-pool for --no-pools, --timeout-ms for --timeout
  return known.find((name) => low.length > 2 && (name.split("-").includes(low) || low.split("-").includes(name)));
}

/** The names with the fewest letters to change: one in a short name, two in a longer one. */
export function closest(typed: string, known: readonly string[]): string[] {
  const most = typed.length < 3 ? 0 : typed.length < 5 ? 1 : 2;
  const near = known
    .map((name) => ({ name, distance: editDistance(name, typed) }))
    .filter(({ distance }) => distance <= most);
  const least = Math.min(...near.map(({ distance }) => distance));
  return near.flatMap(({ name, distance }) => (distance === least ? [name] : [])).slice(0, MOST);
}

/** ` Did you mean "jobs list" or "dlq list"?`, or nothing. */
export function didYouMean(names: readonly string[]): string {
  const quoted = names.map((name) => `"${name}"`);
  const last = quoted.pop();
  if (last === undefined) return "";
  return ` Did you mean ${quoted.length > 0 ? `${quoted.join(", ")} or ` : ""}${last}?`;
}
