// npm run bench:pairs -- --against <commit> [--pairs 20] [--only name,name]
//
// What a change costs, to a few percent: this tree and another commit take turns on the same machine, and each turn of both is
// one pair. The figure is the median ratio of the pairs with its 95 % interval. The other commit runs in a worktree that links
// to this tree's packages.

import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { BENCH_DIR, type Case, figure, median, percentile } from "./harness.ts";

const { values } = parseArgs({
  options: {
    against: { type: "string" },
    pairs: { type: "string", default: "20" },
    only: { type: "string" },
  },
});
const { against } = values;
if (against === undefined) throw new Error("--against is missing: the commit to compare with.");

interface Subject {
  name: string;
  measure: string;
  each: Case;
}

const SUBJECTS: Subject[] = [
  subject("sqlite-submit", "submit-concurrent", "millrace full", { count: 50_000, callers: 64 }),
  subject("sqlite-submit-bulk", "submit-bulk", "millrace full", { count: 100_000, batch: 1_000, inFlight: 1 }),
  subject("sqlite-process", "process", "millrace full", { count: 100_000, processors: 500 }),
  subject("sqlite-process-small", "process", "millrace full", { count: 40_000, processors: 10 }),
  subject("postgres-submit", "postgres-submit", "millrace postgres", { count: 15_000, callers: 50 }),
  subject("postgres-process", "postgres-process", "millrace postgres", { count: 50_000, processors: 500 }),
];

const root = join(BENCH_DIR, "..");
// Not a private folder: PostgreSQL runs as another user where this runs as root.
const folder = join(BENCH_DIR, ".tmp", `pairs-${process.pid}`);
mkdirSync(folder, { recursive: true });
const other = join(folder, "tree");
process.on("exit", () => {
  git("worktree", "remove", "--force", other);
  rmSync(folder, { recursive: true, force: true });
});
process.on("SIGINT", () => process.exit(130));
git("worktree", "add", "--detach", other, against);
for (const modules of ["node_modules", "bench/node_modules"]) {
  if (existsSync(join(root, modules))) symlinkSync(join(root, modules), join(other, modules));
}

const only = values.only?.split(",");
for (const each of SUBJECTS.filter(({ name }) => !only || only.includes(name))) {
  const ratios: number[] = [];
  for (let pair = 0; pair < Number(values.pairs); pair++) {
    // The first of a pair may find the machine in another state than the second, so they swap.
    const trees = pair % 2 === 0 ? [root, other] : [other, root];
    const figures = new Map(trees.map((tree) => [tree, turn(tree, each, pair)]));
    const [ours = Number.NaN, theirs = Number.NaN] = [figures.get(root), figures.get(other)];
    ratios.push(ours / theirs);
    console.error(`${each.name} ${pair + 1}: ${figure(ours)} / ${figure(theirs)} = ${(ours / theirs).toFixed(3)}`);
  }
  const [low, high] = interval(ratios);
  console.log(`${each.name}: ${median(ratios).toFixed(3)} (${low.toFixed(3)} to ${high.toFixed(3)}) of ${against}`);
}

function turn(tree: string, { measure, each }: Subject, pair: number): number {
  const dir = join(folder, String(pair));
  mkdirSync(dir);
  const answer = join(dir, "answer.json");
  const args = [join(tree, "bench/child.ts"), measure, "run", JSON.stringify(each), dir, answer];
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: "utf8", timeout: 300_000 });
  if (status !== 0) throw new Error(`${measure} failed in ${tree}: ${stderr.slice(-500)}`);
  const [main] = Object.values(JSON.parse(readFileSync(answer, "utf8")) as Record<string, number>);
  rmSync(dir, { recursive: true, force: true });
  return main as number;
}

/** By drawing again from what was seen (bootstrap). */
function interval(ratios: number[]): [number, number] {
  const draw = () => median(ratios.map(() => ratios[Math.floor(Math.random() * ratios.length)] as number));
  const medians = Array.from({ length: 5_000 }, draw);
  return [percentile(medians, 0.025), percentile(medians, 0.975)];
}

function subject(name: string, measure: string, who: Case["who"], given: Record<string, number>): Subject {
  return { name, measure, each: { who, setting: name, with: given } };
}

function git(...args: string[]): void {
  const { status, stderr } = spawnSync("git", args, { cwd: root, encoding: "utf8" });
  if (status !== 0) throw new Error(`git ${args[0]} failed: ${stderr}`);
}
