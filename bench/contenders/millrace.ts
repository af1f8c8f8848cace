import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { StandardSchemaV1 } from "@standard-schema/spec";
import { defineKind, Millrace, type MillraceOptions, sqlite } from "../../packages/millrace/src/index.ts";
import { keyOf, type OpenOptions, type Payload, type Queue } from "./contender.ts";

const LOOK_EVERY_MS = 2;

export const fileOf = (dir: string): string => join(dir, "jobs.db");

/** The cheapest schema there is: the engine is measured, not a validator. The peers validate nothing. */
export const anyPayload: StandardSchemaV1<Payload> = {
  "~standard": { version: 1, vendor: "bench", validate: (value) => ({ value: value as Payload }) },
};

export function openMillrace(dir: string, durability: "full" | "normal", options: OpenOptions): Promise<Queue> {
  return openMillraceOn(sqlite(fileOf(dir)), durability, options);
}

export async function openMillraceOn(
  store: MillraceOptions["store"],
  durability: "full" | "normal",
  options: OpenOptions,
  { keep }: { keep?: "none" } = {},
): Promise<Queue> {
  const { run, processors = 10, moreKinds = [], deleteFinished, tenants = 1, capPerTenant, keys } = options;
  const kindOf = (name: string) =>
    defineKind({
      name,
      payload: anyPayload,
      processors,
      ...(keep && { keep }),
      ...(keys !== undefined && { concurrency: { key: (payload: Payload) => keyOf(payload, keys) } }),
      run: (_ctx, payload) => work(payload),
    });
  let ran = 0;
  const work = (payload: Payload) => {
    ran++;
    run?.(payload);
  };
  const noop = kindOf("noop");
  const millrace = await Millrace.open({
    store,
    kinds: [noop, ...moreKinds.map(kindOf)],
    work: run !== undefined,
    durability,
    ...(deleteFinished && { finishedRetentionMs: 1, cleanupIntervalMs: 100 }),
    ...(capPerTenant !== undefined && { maxConcurrentPerTenant: capPerTenant, tenantOverflow: "queue" as const }),
  });
  let turn = 0;
  const tenant = () => (tenants === 1 ? {} : { tenant: `tenant-${turn++ % tenants}` });
  return {
    submit: (payload) => millrace.submit(noop, payload, tenant()),
    submitMany: (payloads) => millrace.submitMany(noop, payloads, tenant()),
    async completed() {
      // The look takes several statements. Without a pause the last jobs of a run compete with the looks for them.
      await pause(LOOK_EVERY_MS);
      const kinds = await millrace.kinds();
      const counts = kinds.find(({ kind }) => kind === "noop")?.stages[0]?.counts;
      if (!counts) return 0;
      // Jobs that ran and are no longer live. The engine counts many finished jobs on PostgreSQL rarely, live jobs each time.
      const { scheduled, ready, suspect, held, running } = counts;
      return run && !deleteFinished ? ran - scheduled - ready - suspect - held - running : counts.completed;
    },
    close: () => millrace.stop(),
  };
}
