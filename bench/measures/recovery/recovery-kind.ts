import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { Context } from "../../../packages/millrace/src/job/context.ts";
import { defineKind } from "../../../packages/millrace/src/job/kind/define-kind.ts";
import { Millrace } from "../../../packages/millrace/src/millrace.ts";
import { postgres } from "../../../packages/millrace/src/store/postgres/factory.ts";
import { sqlite } from "../../../packages/millrace/src/store/sqlite/factory.ts";
import { silentLog } from "../../../packages/millrace/src/telemetry/log/log.ts";
import { BENCH_DIR, type Case } from "../../harness.ts";

export interface WorkerPlan {
  /** A file, or the address of a PostgreSQL database. */
  db: string;
  processors: number;
  jobMs: number;
}

export type WorkerReport = { started: number } | { ended: number };

const Payload = z.object({ number: z.number(), poison: z.boolean().optional() });
type Payload = z.infer<typeof Payload>;

export function recoveryKind(run: (ctx: Context<Payload>) => Promise<void>, processors: number) {
  return defineKind({ name: "recovered", payload: Payload, processors, run });
}

export const recoveryStore = (db: string) => (db.startsWith("postgres:") ? postgres(db) : sqlite(db));

export function dbOf(each: Case, dir: string): string {
  return each.who === "millrace postgres" ? readFileSync(join(dir, "url"), "utf8") : join(dir, "jobs.db");
}

/** Submits the jobs and leaves; gives a way to look at them later. */
export async function submitted(db: string, payloads: Payload[]): Promise<Millrace> {
  const kind = recoveryKind(async () => {}, 1);
  const millrace = await Millrace.open({ store: recoveryStore(db), kinds: [kind], work: false, log: silentLog });
  await millrace.submitMany(kind, payloads);
  return millrace;
}

export function startWorker(plan: WorkerPlan, heard: (report: WorkerReport) => void): ChildProcess {
  const script = join(BENCH_DIR, "measures/recovery/recovery-worker.ts");
  const child = spawn(process.execPath, [...process.execArgv, script, JSON.stringify(plan)], {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  child.on("message", heard);
  return child;
}

/** On both stores, each case as often as the store allows. */
export function onBothStores(setting: string, figures: Record<string, number>): Case[] {
  return (["millrace full", "millrace postgres"] as const).map((who) => ({ who, setting, with: figures }));
}
