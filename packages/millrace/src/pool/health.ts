import type { KindCounts } from "../store/verbs/processes.ts";
import type { ProcessorView } from "./runner.ts";

interface PoolProcessors {
  pool: string;
  processors: ProcessorView[];
}

/** The health of the pools in one line: the queue and the processors by state, per stage. */
export function healthLine(pools: PoolProcessors[], kinds: KindCounts[]): { stages: Record<string, unknown> } {
  const queues = new Map<string, number>();
  for (const { kind, stages } of kinds) {
    for (const { stage, counts } of stages) queues.set(`${kind}/${stage}`, counts.ready + counts.suspect);
  }
  const stages = pools.map(({ pool, processors }) => {
    const by = (state: ProcessorView["state"]) => processors.filter((each) => each.state === state).length;
    return [pool, { queueSize: queues.get(pool) ?? 0, idle: by("idle"), busy: by("busy"), error: by("error") }];
  });
  return { stages: Object.fromEntries(stages) };
}
