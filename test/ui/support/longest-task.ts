interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

/** On the pages' main thread, in time of its own: others share this machine, and what they take is not the page's doing. */
export function longestTask(trace: Buffer): number {
  const { traceEvents } = JSON.parse(trace.toString()) as { traceEvents: TraceEvent[] };
  const thread = ({ pid, tid }: TraceEvent) => `${pid}/${tid}`;
  const mains = new Set(
    traceEvents.filter(({ name, args }) => name === "thread_name" && args?.name === "CrRendererMain").map(thread),
  );
  const tasks = traceEvents.filter((event) => event.ph === "X" && mains.has(thread(event)));
  return Math.max(0, ...tasks.map(({ tdur = 0 }) => tdur)) / 1_000;
}
