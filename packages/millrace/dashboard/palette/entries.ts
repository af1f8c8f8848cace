// What the palette finds: pages, saved views, kinds, tenants, and a job by its id.

export interface PaletteEntry {
  readonly title: string;
  /** What it is: "page", "kind", "tenant". */
  readonly sort: string;
  /** Where it leads. */
  readonly to?: string;
  /** What it does instead. */
  readonly run?: () => void;
}

const MOST = 12;
const JOB_ID = /^job_[0-9A-Za-z]{6,}$/;

/** The entries that fit what was typed, the best first. */
export function matching(entries: readonly PaletteEntry[], typed: string): readonly PaletteEntry[] {
  const wanted = typed.trim();
  if (wanted === "") return entries.filter(({ sort }) => sort === "page" || sort === "view").slice(0, MOST);
  const words = wanted.toLowerCase().split(/\s+/);
  const found = entries
    .map((entry) => ({ entry, rank: rankOf(entry, words) }))
    .filter(({ rank }) => rank > 0)
    .sort((a, b) => b.rank - a.rank || a.entry.title.length - b.entry.title.length)
    .map(({ entry }) => entry);
  const direct: PaletteEntry[] = JOB_ID.test(wanted)
    ? [{ title: `Open ${wanted}`, sort: "job", to: `/jobs/${wanted}` }]
    : [];
  const search = { title: `Search jobs for “${wanted}”`, sort: "search", to: `/jobs?q=${encodeURIComponent(wanted)}` };
  return [...direct, ...found.slice(0, MOST), search];
}

/** 0: does not fit. A title that starts with the words is better than one that has them inside. */
function rankOf({ title, sort }: PaletteEntry, words: readonly string[]): number {
  const text = `${title} ${sort}`.toLowerCase();
  if (!words.every((word) => text.includes(word))) return 0;
  if (text.startsWith(words.join(" "))) return 3;
  return words.every((word) => new RegExp(`(^|[^a-z0-9])${escaped(word)}`).test(text)) ? 2 : 1;
}

function escaped(word: string): string {
  return word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
