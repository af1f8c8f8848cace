// The combinations that users have. `npm test` takes three corners of it, `npm run test:packages` all cells.

interface Cell {
  readonly runtime: string;
  readonly resolution: "nodenext" | "bundler";
  /** A package of node_modules. */
  readonly typescript: string;
}

const CORNERS: readonly Cell[] = [
  { runtime: "node", resolution: "nodenext", typescript: "typescript" },
  { runtime: "bun", resolution: "bundler", typescript: "typescript-5.9" },
  { runtime: "node22", resolution: "nodenext", typescript: "typescript-5.4" },
];

const ALL: readonly Cell[] = ["node", "bun", "node22"].flatMap((runtime) =>
  (["nodenext", "bundler"] as const).flatMap((resolution) =>
    ["typescript", "typescript-5.9", "typescript-5.4"].map((typescript) => ({ runtime, resolution, typescript })),
  ),
);

/** Whether this is `npm run test:packages`. */
export const isWholeMatrix = process.env["PACKAGES"] === "1";

const cells = isWholeMatrix ? ALL : CORNERS;

export const runtimes = [...new Set(cells.map(({ runtime }) => runtime))];

/** What a compiler says does not depend on the runtime, so each pair is compiled once. */
export const compilers = new Map(cells.map((cell) => [`${cell.typescript} with ${cell.resolution}`, cell] as const));
