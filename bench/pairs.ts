// npm run bench:pairs -- --against <commit> [--tree folder] [--pairs 20] [--only name,name]
//
// What a change costs, to a few percent: this tree and another commit take turns on the same machine, and each turn of both is
// one pair. The figures are the median ratios of the pairs with their 95 % intervals: of the rate (above 1: this tree is faster)
// and of the processor time per job (below 1: this tree is cheaper), which other programs on the machine disturb less. It includes
// the PostgreSQL server and the submission of the backlog; the start of both processes is measured with few jobs and taken off.
//
// The other commit runs in a worktree with its own packages: one that links to this tree's would import this tree's engine by the
// name of a workspace. --tree names such a worktree that is already there, for several runs against one commit.

import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { BENCH_DIR, type Case, figure, median, percentile } from "./harness.ts";

const { values } = parseArgs({
  options: {
    against: { type: "string" },
    tree: { type: "string" },
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

// Each runs for some seconds: in the first one much of the processor time is the runtime's, which compiles the engine.
const SUBJECTS: Subject[] = [
  subject("sqlite-submit", "submit-concurrent", "millrace full", { count: 50_000, callers: 64 }),
  subject("sqlite-submit-bulk", "submit-bulk", "millrace full", { count: 100_000, batch: 1_000, inFlight: 1 }),
  subject("sqlite-process", "process", "millrace full", { count: 100_000, processors: 500 }),
  subject("sqlite-process-small", "process", "millrace full", { count: 40_000, processors: 10 }),
  subject("postgres-submit", "postgres-submit", "millrace postgres", { count: 100_000, callers: 50 }),
  subject("postgres-process", "postgres-process", "millrace postgres", { count: 150_000, processors: 500 }),
  subject("postgres-process-50", "postgres-process", "millrace postgres", { count: 150_000, processors: 50 }),
];

const STARTS = 3;
const FEW_JOBS = 1_000;

const root = join(BENCH_DIR, "..");
// Not a private folder: PostgreSQL runs as another user where this runs as root.
const folder = join(BENCH_DIR, ".tmp", `pairs-${process.pid}`);
mkdirSync(folder, { recursive: true });
const other = values.tree ?? join(folder, "tree");
process.on("exit", () => {
  if (values.tree === undefined) git("worktree", "remove", "--force", other);
  rmSync(folder, { recursive: true, force: true });
});
process.on("SIGINT", () => process.exit(130));
if (values.tree === undefined) checkOut(other, against);
measureAlike(other);

const only = values.only?.split(",");
for (const each of SUBJECTS.filter(({ name }) => !only || only.includes(name))) {
  const ratios: Turn[] = [];
  const startSeconds = new Map([root, other].map((tree) => [tree, secondsToStart(tree, each)]));
  for (let pair = 0; pair < Number(values.pairs); pair++) {
    // The first of a pair may find the machine in another state than the second, so they swap.
    const trees = pair % 2 === 0 ? [root, other] : [other, root];
    const turns = new Map(trees.map((tree) => [tree, turn(tree, each)]));
    const [ours, theirs] = [root, other].map((tree) => {
      const { rate, cpuSeconds } = turns.get(tree) as Turn;
      return { rate, cpuSeconds: cpuSeconds - (startSeconds.get(tree) as number) };
    }) as [Turn, Turn];
    const ratio: Turn = { rate: ours.rate / theirs.rate, cpuSeconds: ours.cpuSeconds / theirs.cpuSeconds };
    ratios.push(ratio);
    console.error(
      `${each.name} ${pair + 1}: ${figure(ours.rate)} / ${figure(theirs.rate)} = ${ratio.rate.toFixed(3)}, ` +
        `cpu ${figure(ours.cpuSeconds)} / ${figure(theirs.cpuSeconds)} s = ${ratio.cpuSeconds.toFixed(3)}`,
    );
  }
  const rate = withInterval(ratios.map((each) => each.rate));
  console.log(`${each.name}: rate ${rate}, cpu ${withInterval(ratios.map((each) => each.cpuSeconds))} of ${against}`);
}

interface Turn {
  rate: number;
  /** User and system time of the measuring process and of the server that it started. */
  cpuSeconds: number;
}

/** What a turn with next to no jobs takes. */
function secondsToStart(tree: string, { measure, each }: Subject): number {
  const few: Case = { ...each, with: { ...each.with, count: FEW_JOBS } };
  const turns = Array.from({ length: STARTS }, () => turn(tree, { name: each.setting, measure, each: few }));
  return median(turns.map(({ cpuSeconds }) => cpuSeconds));
}

function checkOut(tree: string, commit: string): void {
  git("worktree", "add", "--detach", tree, commit);
  for (const place of [tree, join(tree, "bench")]) {
    const { status, stderr } = spawnSync("npm", ["ci"], { cwd: place, encoding: "utf8" });
    if (status !== 0) throw new Error(`npm ci failed in ${place}: ${stderr.slice(-500)}`);
  }
}

/** The other tree asks its engine the same questions: an engine may have begun to count finished jobs rarely, for example. */
function measureAlike(tree: string): void {
  const contender = readFileSync(join(BENCH_DIR, "contenders/millrace.ts"), "utf8");
  copyFileSync(join(BENCH_DIR, "contenders/contender.ts"), join(tree, "bench/contenders/contender.ts"));
  const hasPackages = existsSync(join(tree, "packages/millrace/src/index.ts"));
  writeFileSync(
    join(tree, "bench/contenders/millrace.ts"),
    hasPackages ? contender : contender.replace("../../packages/millrace/src/", "../../src/"),
  );
}

function turn(tree: string, { measure, each }: Subject): Turn {
  const dir = join(folder, "turn");
  mkdirSync(dir);
  const answer = join(dir, "answer.json");
  const args = [...process.execArgv, join(tree, "bench/child.ts"), measure, "run", JSON.stringify(each), dir, answer];
  // The shell says what its children and theirs have used; the runtimes do not.
  const timed = ["-c", '"$@" >/dev/null; code=$?; times; exit $code', "sh", process.execPath, ...args];
  const { status, stdout, stderr } = spawnSync("/bin/sh", timed, { encoding: "utf8", timeout: 300_000 });
  if (status !== 0) throw new Error(`${measure} failed in ${tree}: ${stderr.slice(-500)}`);
  const [main] = Object.values(JSON.parse(readFileSync(answer, "utf8")) as Record<string, number>);
  rmSync(dir, { recursive: true, force: true });
  return { rate: main as number, cpuSeconds: childSeconds(stdout) };
}

/** The second line of `times`: `0m1.25s 0m0.40s`, user and system. */
function childSeconds(times: string): number {
  const ofChildren = times.trim().split("\n")[1] ?? "";
  return [...ofChildren.matchAll(/(\d+)m([\d.]+)s/g)].reduce((sum, [, minutes, seconds]) => {
    return sum + Number(minutes) * 60 + Number(seconds);
  }, 0);
}

function withInterval(ratios: number[]): string {
  const [low, high] = interval(ratios);
  return `${median(ratios).toFixed(3)} (${low.toFixed(3)} to ${high.toFixed(3)})`;
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
