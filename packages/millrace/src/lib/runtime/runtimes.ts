// The runtimes that Millrace runs on. `engines` in package.json and bin/runtimes.js say the same; a test compares them.

/** The oldest versions. Those before bring an SQLite older than 3.51.3, which can corrupt a file that two processes share. */
export const OLDEST = { node22: "22.22.3", node: "24.15.0", bun: "1.4.0" } as const;

export const SUPPORTED = "Node 22.22.3, Node 24.15 or Bun 1.4, or newer";

export type Versions = { readonly node: string; readonly bun?: string | undefined };

/** A sentence if this runtime is too old. */
export function runtimeProblem({ node, bun }: Versions): string | undefined {
  if (bun !== undefined) return isAtLeast(bun, OLDEST.bun) ? undefined : needs(`Bun ${bun}`);
  const isNode22 = node.startsWith("22.") && isAtLeast(node, OLDEST.node22);
  return isNode22 || isAtLeast(node, OLDEST.node) ? undefined : needs(`Node ${node}`);
}

function needs(found: string): string {
  return `Millrace needs ${SUPPORTED}; this is ${found}.`;
}

function isAtLeast(version: string, oldest: string): boolean {
  return version.localeCompare(oldest, "en", { numeric: true }) >= 0;
}
