// From an address to a page of a workload. Pure, so that tests need no browser.

/** The entry whose address the path is, or lies below; the longest of them. */
export function entryAt<T extends { readonly path: string }>(entries: readonly T[], path: string): T | undefined {
  const found = entries.filter((entry) => isBelow(path, entry.path));
  return found.reduce<T | undefined>(
    (best, each) => (best && best.path.length >= each.path.length ? best : each),
    undefined,
  );
}

export function isBelow(path: string, entry: string): boolean {
  return path === entry || path.startsWith(`${entry}/`);
}

/** The values of the parts in braces; undefined: the path is of another page. */
export function matched(pattern: string, path: string): Record<string, string> | undefined {
  const wanted = pattern.split("/");
  const parts = path.split("/");
  if (wanted.length !== parts.length) return undefined;
  const values: Record<string, string> = {};
  for (const [i, part] of wanted.entries()) {
    const given = parts[i] ?? "";
    if (!part.startsWith("{")) {
      if (part !== given) return undefined;
    } else if (given === "") return undefined;
    else values[part.slice(1, -1)] = decoded(given);
  }
  return values;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
