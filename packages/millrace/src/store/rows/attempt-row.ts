import type { Attempt, AttemptOutcome } from "../../job/job.ts";
import { COMPLETED, RUNNING } from "../codes.ts";
import { type JobRow, processorOf } from "./job-row.ts";

/** An attempt that ended. The running attempt, and the one that completed the job, are the job's own row. */
export interface AttemptRow {
  stage: number;
  attempt: number;
  started_at: number;
  ended_at: number;
  holder: number | null;
  slot: number | null;
  outcome: AttemptOutcome;
  failure: string | null;
}

export interface AttemptFacts<Ended extends AttemptRow, Row extends JobRow> {
  readonly stageOf: (stage: number) => string;
  readonly holderOf: (row: Ended | Row) => string | undefined;
}

/** The attempts that ended, then the one that runs or that completed the job. */
export function attemptsOf<Ended extends AttemptRow, Row extends JobRow>(
  row: Row,
  ended: Ended[],
  { stageOf, holderOf }: AttemptFacts<Ended, Row>,
): Attempt[] {
  const processor = (of: Ended | Row) => {
    const holder = holderOf(of);
    return holder === undefined ? {} : { processor: processorOf(holder, of.slot) };
  };
  const attempts = ended.map(
    (each): Attempt => ({
      stage: stageOf(each.stage),
      attempt: each.attempt,
      startedAt: each.started_at,
      endedAt: each.ended_at,
      outcome: each.outcome,
      ...processor(each),
      ...(each.failure !== null && { failure: JSON.parse(each.failure) }),
    }),
  );
  if ((row.standing !== RUNNING && row.standing !== COMPLETED) || row.attempt === 0) return attempts;
  return [
    ...attempts,
    {
      stage: stageOf(row.stage),
      attempt: row.attempt,
      startedAt: row.started_at ?? row.created_at,
      ...processor(row),
      ...(row.standing === COMPLETED && { endedAt: row.finished_at ?? row.updated_at, outcome: "completed" as const }),
    },
  ];
}
