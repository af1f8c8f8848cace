import { join } from "node:path";
import type { StandardSchemaV1 } from "@standard-schema/spec";
import { defineKind, Millrace, type MillraceOptions, sqlite } from "../../packages/millrace/src/index.ts";
import type { OpenOptions, Payload, Queue } from "./contender.ts";

export const fileOf = (dir: string): string => join(dir, "jobs.db");

/** The cheapest schema there is: the engine is measured, not a validator. The peers validate nothing. */
const anyPayload: StandardSchemaV1<Payload> = {
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
  const { run, processors = 10, moreKinds = [], deleteFinished, tenants = 1, capPerTenant } = options;
  const kindOf = (name: string) =>
    defineKind({ name, payload: anyPayload, processors, ...(keep && { keep }), run: (_ctx, payload) => work(payload) });
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
      const kinds = await millrace.kinds();
      const counts = kinds.find(({ kind }) => kind === "noop")?.stages[0]?.counts;
      // Of what ran and is not kept, that which is no longer there.
      if (keep === "none" && counts) return ran - Object.values(counts).reduce((sum, count) => sum + count, 0);
      return counts?.completed ?? 0;
    },
    close: () => millrace.stop(),
  };
}
