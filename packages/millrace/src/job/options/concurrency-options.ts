import { callable, FOREVER, group, type OptionValues, onOff, other, whole, word } from "../../lib/options/option.ts";

/** How a contract says which jobs may not run at once. */
const KEY_OPTIONS = {
  key: callable(),
} as const;

/** How many jobs of a kind run at the same time. */
const BOUND_OPTIONS = {
  /** Jobs of the kind that run at the same time, across all processes. Default: no limit. */
  total: whole(1, FOREVER),
  /** Jobs with the same key that run at the same time, across all processes. It needs a `key`. Default: 1. */
  perKey: whole(1, FOREVER),
  /** Names of limits that the kind shares with other kinds; `Millrace.open({ limits })` defines them. Default: none. */
  limits: other<readonly string[]>("an array of names of limits", isNames),
  /**
   * `true`: jobs with the same key run one at a time, in the order in which they were submitted. A job keeps its turn over
   * all stages, retries and waits. Default: false.
   */
  ordered: onOff(),
  /**
   * What a dead letter of an ordered kind does: "hold" keeps the jobs behind it waiting until it is revived, cancelled or
   * deleted; "skip" lets the next job run. Default: "hold".
   */
  ifFails: word("hold", "skip"),
} as const;

export const CONTRACT_CONCURRENCY = group(KEY_OPTIONS);
export const WORK_CONCURRENCY = group(BOUND_OPTIONS);
export const KIND_CONCURRENCY = group({ ...KEY_OPTIONS, ...BOUND_OPTIONS });

/** The part of `concurrency` that belongs to the contract. */
export interface ConcurrencyKey<Payload> {
  /**
   * A key for what the job must not share, such as an account. Keys of different tenants never meet. Return undefined for
   * no key. Default: no key.
   */
  key?: (payload: Payload) => string | undefined;
}

/** The part of `concurrency` that belongs to the worker. The worker with the highest deployment number decides. */
export interface ConcurrencyBounds extends OptionValues<typeof BOUND_OPTIONS> {}

/** How many jobs of a kind run at the same time, in which order. */
export interface Concurrency<Payload> extends ConcurrencyKey<Payload>, ConcurrencyBounds {}

/** A limit on running jobs that several kinds share. */
export interface SharedLimit {
  /** Jobs that run at the same time, of all kinds that name the limit, across all processes. */
  total: number;
}

export const LIMIT_NAME = /^[a-z][a-z0-9-]{0,63}$/;

function isNames(value: unknown): boolean {
  return Array.isArray(value) && value.every((each) => typeof each === "string" && LIMIT_NAME.test(each));
}

/** The problems with the concurrency of a kind, as sentences without their periods. */
export function concurrencyProblems({ key, perKey, ordered, ifFails }: Concurrency<never>): string[] {
  const problems: string[] = [];
  if (key === undefined && perKey !== undefined) problems.push("concurrency.perKey needs concurrency.key");
  if (key === undefined && ordered) problems.push("concurrency.ordered needs concurrency.key");
  if (ordered && perKey !== undefined && perKey !== 1) {
    problems.push("concurrency.perKey must be 1 if concurrency.ordered is true");
  }
  if (ifFails !== undefined && !ordered) problems.push("concurrency.ifFails needs concurrency.ordered");
  return problems;
}

/** The problems with the shared limits of `Millrace.open()`, and with kinds that use others. */
export function limitProblems(limits: object, kinds: readonly { name: string; concurrency: ConcurrencyBounds }[]) {
  const values = Object.entries(limits) as [string, Partial<SharedLimit> | undefined][];
  const wrong = values.flatMap(([name, limit]) => {
    if (!LIMIT_NAME.test(name))
      return [`The name of the limit "${name}" must be lower-case letters, digits and dashes`];
    const { total } = limit ?? {};
    return BOUND_OPTIONS.total.accepts(total)
      ? []
      : [`limit "${name}" must be an object with total as a whole number above 0`];
  });
  const missing = kinds.flatMap(({ name: kind, concurrency }) =>
    (concurrency.limits ?? []).flatMap((name) =>
      Object.hasOwn(limits, name) ? [] : [`kind "${kind}" uses the limit "${name}", which limits does not define`],
    ),
  );
  return [...wrong, ...missing];
}
