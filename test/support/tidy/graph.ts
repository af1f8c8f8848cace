import type { Import, SourceFile } from "./source.ts";

/** All files that these lead to, by any kind of import. */
export function reachableFrom(roots: readonly string[], files: readonly SourceFile[]): Set<string> {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const reached = new Set<string>();
  const waiting = [...roots];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const file = byPath.get(path);
    if (file === undefined || reached.has(path)) continue;
    reached.add(path);
    waiting.push(...file.imports.filter(({ ours }) => ours).map(({ target }) => target));
  }
  return reached;
}

/** Circles of imports that remain when types are gone, each told once. */
export function cyclesIn(files: readonly SourceFile[]): string[] {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const done = new Set<string>();
  const cycles: string[] = [];
  for (const { path } of files) visit(path, []);
  return cycles;

  function visit(path: string, trail: readonly string[]): void {
    const start = trail.indexOf(path);
    if (start >= 0) cycles.push([...trail.slice(start), path].join(" -> "));
    if (start >= 0 || done.has(path)) return;
    for (const next of byPath.get(path)?.imports.filter(runs) ?? []) visit(next.target, [...trail, path]);
    done.add(path);
  }
}

// A started thread has modules of its own, so it closes no circle.
function runs({ ours, how }: Import): boolean {
  return ours && how === "run";
}
