import { CAUSE_PREFIX, causeOf, fingerprintOf, patternOf } from "../../job/report/cause.ts";
import type { DeadLetterCause } from "../../job/report/cause-page.ts";

/** Dead letters with one stored cause. */
export interface CauseRow {
  cause: string;
  count: number;
  firstAt: number;
  lastAt: number;
  /** The newest of them. */
  sample: number;
}

/** Dead letters without a cause of this version: an older process ended them, and upkeep has not come to them yet. */
export interface UnmarkedRow extends Omit<CauseRow, "cause"> {
  stage: number;
  code: string | null;
  message: string | null;
}

/** The columns from which the cause of a dead letter is derived. */
export interface FailureRow {
  id: number;
  stage: number;
  code: string | null;
  message: string | null;
}

/** The causes of this version, as a range. "." follows "-" in the order of both stores. */
export const MARKED = { from: CAUSE_PREFIX, to: `${CAUSE_PREFIX.slice(0, -1)}.` };

interface StageNames {
  readonly names: { stage(id: number): { readonly kindName: string; readonly name: string } };
}

interface CauseFacts extends StageNames {
  readonly ids: { encode(key: number): string };
}

/** The cause that a dead letter should have. */
export function causeOfRow({ names }: StageNames, { stage, code, message }: Omit<FailureRow, "id">): string {
  const { kindName, name } = names.stage(stage);
  return causeOf({ kind: kindName, stage: name, code: code ?? "unknown", message: message ?? "" });
}

/** One group for each fingerprint. */
export class CauseGroups {
  readonly #groups = new Map<string, CauseRow & { causes: Set<string> }>();

  add(row: CauseRow): void {
    const name = fingerprintOf(row.cause);
    const known = this.#groups.get(name);
    if (!known) return void this.#groups.set(name, { ...row, causes: new Set([row.cause]) });
    known.count += row.count;
    known.firstAt = Math.min(known.firstAt, row.firstAt);
    known.lastAt = Math.max(known.lastAt, row.lastAt);
    known.sample = Math.max(known.sample, row.sample);
    known.causes.add(row.cause);
  }

  get samples(): number[] {
    return [...this.#groups.values()].map(({ sample }) => sample);
  }

  /** `samples` are the failures of the newest ones. A group whose newest letter is gone by now is left out. */
  views(facts: CauseFacts, samples: readonly FailureRow[]): DeadLetterCause[] {
    const failures = new Map(samples.map((row) => [row.id, row]));
    return [...this.#groups].flatMap(([fingerprint, { count, causes, firstAt, lastAt, sample }]) => {
      const failure = failures.get(sample);
      if (!failure) return [];
      const { kindName, name } = facts.names.stage(failure.stage);
      const message = failure.message ?? "";
      return {
        fingerprint,
        pattern: patternOf(message),
        kind: kindName,
        stage: name,
        code: failure.code ?? "unknown",
        count,
        variants: causes.size,
        firstAt,
        lastAt,
        sample: facts.ids.encode(sample),
        message,
      };
    });
  }
}
