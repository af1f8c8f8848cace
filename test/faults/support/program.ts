// The program the fault tests start, stop and kill: the engine on one file, its history, and an ear for commands.
// Its plan comes as JSON in the first argument; commands and their answers go over the IPC channel.

import { readdirSync } from "node:fs";
import type { Lease } from "../../../packages/millrace/src/job/lease.ts";
import type { Settings } from "../../../packages/millrace/src/job/options/settings.ts";
import type { SubmitOptions } from "../../../packages/millrace/src/job/options/submit-options.ts";
import { AppError, messageOf } from "../../../packages/millrace/src/lib/app-error.ts";
import { sharedOffsets, systemClock } from "../../../packages/millrace/src/lib/clock.ts";
import { Millrace } from "../../../packages/millrace/src/millrace.ts";
import { postgres } from "../../../packages/millrace/src/store/postgres/factory.ts";
import { sqlite } from "../../../packages/millrace/src/store/sqlite/factory.ts";
import type { Store } from "../../../packages/millrace/src/store/store.ts";
import { silentLog } from "../../../packages/millrace/src/telemetry/log/log.ts";
import { scaled, slowness } from "../../support/slowness.ts";
import { History } from "./history.ts";
import { type Errand, type KindName, type KindOptions, kindsFor } from "./kinds.ts";
import { Flood } from "./programs/flood.ts";
import { submitForEver } from "./programs/submit-for-ever.ts";
import { recorded } from "./recorded-store.ts";

export interface Plan {
  /** Where the histories are. */
  folder: string;
  /** A file, or the address of a PostgreSQL database. */
  db: string;
  /** The name of this run. */
  by: string;
  /** Which kinds it works on; none: it only submits and looks. */
  works?: KindName[];
  kindOptions?: KindOptions;
  settings?: Partial<Settings>;
  /** As an app does that does not listen for fatal errors. */
  staysAfterFatal?: boolean;
  /** It submits on its own until told to stop: jobs of these kinds. */
  /** It saturates the file with jobs of its own, from this many submitters. */
  floods?: number;
  /** Once, right after the store has said that its lease holds and before this step (1 is the first), it stops as by SIGSTOP. */
  sleepsBeforeStep?: number;
  submits?: { kinds: KindName[]; pauseMs: number; lanes: number; again?: string };
}

export type Command =
  | { do: "submit"; kind: KindName; errands: Errand[]; options?: SubmitOptions; oneByOne?: boolean }
  | { do: "find"; jobId: string }
  | { do: "health" }
  | { do: "stop-submitting" }
  | { do: "set-clock"; offsetMs: number }
  | { do: "late-writes"; jobId: string; token: number }
  | { do: "count-files" }
  | { do: "count-flood" };

const plan = JSON.parse(process.argv[2] ?? "{}") as Plan;
const history = new History(plan.folder, plan.by);
const kinds = kindsFor(history, plan.kindOptions);
const offsets = sharedOffsets();
const works = plan.works ?? [];
const flood = new Flood();
const onPostgres = plan.db.startsWith("postgres:");
let store: Store | undefined;

const options: Parameters<typeof Millrace.open>[0] = {
  ...plan.settings,
  store: (options) => {
    const factory = onPostgres ? postgres(plan.db) : sqlite(plan.db, { clockOffsets: offsets });
    store = recorded(factory, history, plan)(options);
    return store;
  },
  // On PostgreSQL the database's clock rules.
  ...(!onPostgres && { clock: systemClock(offsets) }),
  kinds: [
    ...(works.length > 0 ? works.map((name) => kinds[name]) : Object.values(kinds)),
    ...(plan.floods ? [flood.kind] : []),
  ],
  work: works.length > 0,
  log: {
    ...silentLog,
    warn: (event, fields) => {
      if (event === "lease expired") history.append({ type: "lease-expired", jobId: String(fields?.["jobId"]) });
    },
  },
  onFatal: (error) => void endAfterFatal(error),
};

const millrace = await open(scaled(5_000));
if (plan.floods) void flood.start(millrace, plan.floods);
let submitting = plan.submits ? submitForEver(millrace, history, kinds, plan) : undefined;

process.on("SIGTERM", () => void stop());
// Without its test it has no reason to live.
process.on("disconnect", () => process.exit(1));
process.on("message", (message: { number: number; command: Command }) => {
  void obey(message.command).then(
    (ok) => process.send?.({ number: message.number, ok }),
    (error) => process.send?.({ number: message.number, error: { code: codeOf(error), message: messageOf(error) } }),
  );
});
process.send?.({ ready: true });

async function obey(command: Command): Promise<unknown> {
  switch (command.do) {
    case "submit":
      return command.oneByOne ? submitOneByOne(command) : submitTogether(command);
    case "find":
      return (await millrace.find(command.jobId)) ?? null;
    case "health":
      return millrace.health();
    case "stop-submitting":
      flood.stop();
      await submitting?.stop();
      submitting = undefined;
      return true;
    case "set-clock":
      offsets[0] = command.offsetMs;
      return true;
    case "late-writes":
      return lateWrites(store as Store, { jobId: command.jobId, token: command.token, slot: 0 });
    case "count-flood":
      return flood.completed;
    case "count-files":
      return readdirSync("/proc/self/fd").length;
  }
}

/** Every write that a lease carries, with a lease that is over: what the store says to each. */
async function lateWrites(to: Store, lease: Lease): Promise<unknown[]> {
  return [
    await to.saveStep(lease, "late", "1"),
    await to.storedSteps(lease),
    await to.confirm(lease),
    await to.note(lease, { progress: { value: 1 } }),
    await to.keepArtifact(lease, { name: "late", contentType: "text/plain", bytes: Buffer.from("late") }),
    await to.take(lease, "none", 1),
    await to.blockLimiter(lease, "none", 1),
    (await to.settle(lease, { type: "completed", result: '"late"' })).written,
    (await to.settle(lease, { type: "released" })).written,
    (await to.renew([lease])).length,
  ];
}

async function submitTogether({ kind, errands, options }: Extract<Command, { do: "submit" }>): Promise<string[]> {
  for (const { key } of errands) history.append({ type: "submit-called", key });
  try {
    const handles = await millrace.submitMany(kinds[kind], errands, options);
    handles.forEach(({ id }, i) => {
      history.append({ type: "submit-acknowledged", key: errands[i]?.key ?? "", jobId: id });
    });
    return handles.map(({ id }) => id);
  } catch (error) {
    for (const { key } of errands) history.append({ type: "submit-refused", key, code: codeOf(error) });
    throw error;
  }
}

/** Each after the answer to the one before: gives the milliseconds that each took. */
async function submitOneByOne(command: Extract<Command, { do: "submit" }>): Promise<number[]> {
  const took: number[] = [];
  for (const errand of command.errands) {
    const since = performance.now();
    await submitTogether({ ...command, errands: [errand] });
    took.push(performance.now() - since);
  }
  return took;
}

let stopping = false;
async function stop(): Promise<void> {
  if (stopping) return void millrace.stop({ hurry: true });
  stopping = true;
  flood.stop();
  await submitting?.stop();
  await millrace.stop();
  process.exit(0);
}

/** As a server does: it says so, accepts nothing more, and exits non-zero. */
async function endAfterFatal(error: Error): Promise<void> {
  history.append({ type: "fatal", code: codeOf(error) });
  await submitTogether({ do: "submit", kind: "single", errands: [{ key: `${plan.by} after fatal` }] }).catch(() => {});
  if (!plan.staysAfterFatal) process.exit(70);
}

function codeOf(error: unknown): string {
  return error instanceof AppError ? error.code : "unknown";
}

/** A machine that starves the database for seconds is not what these tests are about: then it is tried again. */
async function open(withinMs: number): Promise<Millrace> {
  const lastMoment = performance.now() + withinMs;
  for (;;) {
    try {
      return await Millrace.open(options);
    } catch (error) {
      const isStarved = slowness > 1 && (error as { code?: string }).code === "store-unavailable";
      if (!isStarved || performance.now() > lastMoment) throw error;
    }
  }
}
