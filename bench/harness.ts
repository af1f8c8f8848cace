// Runs measurements: every case in a fresh process on a fresh directory, rounds outermost, so that ours and the peers take
// turns and a slow minute of a shared machine hits all of them.

import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Who } from "./contenders/open.ts";

/** The first is the main one; the rest stands beside it in the table. */
export type Figures = Record<string, number>;

export interface Case {
  who: Who;
  /** What is varied, in words: "10 processors". Together with `who` it names the case. */
  setting: string;
  /** The case it is compared with; missing: none. */
  against?: { who: Who; setting: string };
  /** Of its main figure, where that is not the measure's. */
  unit?: string;
  with: Record<string, number>;
  /** For the process it runs in. */
  env?: Readonly<Record<string, string>>;
}

export interface Measure {
  name: string;
  title: string;
  unit: string;
  /** 3 unless a round is long. */
  rounds?: number;
  /** How long one case may take; five minutes unless it says so. */
  limitMs?: number;
  /** `corpus`: a folder of pages outside this repository. */
  cases(options: { quick: boolean; corpus?: string | undefined }): Case[];
  /** Once per case, in a process of its own; `run` then finds its directory as it left it, every round. */
  prepare?(each: Case, dir: string): Promise<void>;
  run(each: Case, dir: string): Promise<Figures>;
}

export interface Result extends Case {
  measure: string;
  unit: string;
  /** Medians over the rounds. */
  figures: Figures;
  /** The main figure of every round. */
  rounds: number[];
  failed?: string;
}

export const BENCH_DIR = import.meta.dirname;
const TEMPORARY = join(BENCH_DIR, ".tmp", String(process.pid));
const CHILD_TIMEOUT_MS = 300_000;
let running: ChildProcess | undefined;

/** However this ends, nothing is left behind. */
export function cleanUpAtExit(): void {
  process.on("exit", () => {
    running?.kill("SIGKILL");
    rmSync(TEMPORARY, { recursive: true, force: true });
  });
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => process.exit(130));
}

export async function runMeasure(
  measure: Measure,
  { quick, corpus, say }: { quick: boolean; corpus?: string | undefined; say: (line: string) => void },
): Promise<Result[]> {
  const cases = measure.cases({ quick, corpus });
  const rounds = quick ? 1 : (measure.rounds ?? 3);
  const outcomes = cases.map(() => ({ figures: [] as Figures[], failed: undefined as string | undefined }));
  try {
    if (measure.prepare) for (const [i, each] of cases.entries()) await attempt(i, each, "prepare");
    for (let round = 0; round < rounds; round++) {
      for (const [i, each] of cases.entries()) {
        if (outcomes[i]?.failed === undefined) await attempt(i, each, "run");
      }
    }
  } finally {
    rmSync(TEMPORARY, { recursive: true, force: true });
  }
  return cases.map((each, i) => resultOf(measure, each, outcomes[i]?.figures ?? [], outcomes[i]?.failed));

  async function attempt(i: number, each: Case, what: "prepare" | "run"): Promise<void> {
    const dir = join(TEMPORARY, String(i));
    if (!measure.prepare || what === "prepare") rmSync(dir, { recursive: true, force: true });
    mkdirSync(dir, { recursive: true });
    try {
      const figures = await inChild(measure, what, each, dir);
      if (what === "run") outcomes[i]?.figures.push(figures);
      say(`${measure.name} · ${each.who} · ${each.setting} · ${what === "run" ? words(figures) : "prepared"}`);
    } catch (error) {
      const outcome = outcomes[i];
      if (outcome) outcome.failed = error instanceof Error ? error.message : String(error);
      say(`${measure.name} · ${each.who} · ${each.setting} · FAILED: ${outcome?.failed}`);
    }
    if (!measure.prepare) rmSync(dir, { recursive: true, force: true });
  }
}

function resultOf(measure: Measure, each: Case, figures: Figures[], failed: string | undefined): Result {
  const [first] = figures;
  const names = Object.keys(first ?? {});
  const main = names[0];
  return {
    ...each,
    measure: measure.name,
    unit: each.unit ?? measure.unit,
    figures: Object.fromEntries(names.map((name) => [name, median(figures.map((round) => round[name] ?? Number.NaN))])),
    rounds: main === undefined ? [] : figures.map((round) => round[main] ?? Number.NaN),
    ...(failed !== undefined && { failed }),
  };
}

async function inChild(measure: Measure, what: "prepare" | "run", each: Case, dir: string): Promise<Figures> {
  const answer = join(dir, "answer.json");
  rmSync(answer, { force: true });
  const child = spawn(
    process.execPath,
    [...process.execArgv, join(BENCH_DIR, "child.ts"), measure.name, what, JSON.stringify(each), dir, answer],
    {
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, ...each.env },
    },
  );
  running = child;
  let said = "";
  child.stdout.on("data", (data) => (said += data));
  child.stderr.on("data", (data) => (said += data));
  const timer = setTimeout(() => child.kill("SIGKILL"), measure.limitMs ?? CHILD_TIMEOUT_MS);
  const code = await new Promise((resolve) => child.on("close", (code, signal) => resolve(code ?? signal)));
  clearTimeout(timer);
  running = undefined;
  if (code !== 0) throw new Error(`exit ${code}: ${said.trim().slice(-500) || "(no output)"}`);
  return JSON.parse(readFileSync(answer, "utf8"));
}

export function median(values: number[]): number {
  return percentile(values, 0.5);
}

/** Nearest rank. */
export function percentile(values: number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(part * sorted.length) - 1))] ?? Number.NaN;
}

/** Three digits that count, thousands apart. */
export function figure(value: number): string {
  if (Number.isNaN(value)) return "not measured";
  if (!Number.isFinite(value)) return "-";
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString("en-US");
  return value
    .toPrecision(3)
    .replace(/(\.\d*?)0+$/, "$1")
    .replace(/\.$/, "");
}

export function words(figures: Figures): string {
  return Object.entries(figures)
    .map(([name, value]) => `${name} ${figure(value)}`)
    .join(", ");
}
