// How a job starts other jobs. List and jobs are stored in one commit at the call, like a step, so an attempt that runs again
// finds its children and submits none of them twice.

import {
  type ChildCounts,
  type ChildEnd,
  ChildFailed,
  type ChildOptions,
  type ChildrenOptions,
  type ChildSubmitOptions,
  type JoinMode,
} from "../../job/children.ts";
import { type Failure, JobFailure } from "../../job/failure.ts";
import type { Kind } from "../../job/kind/kind.ts";
import { CHILD, CHILD_SUBMISSION, CHILDREN } from "../../job/options/child-options.ts";
import type { StoredWait } from "../../job/wait.ts";
import { AppError } from "../../lib/app-error.ts";
import { checkOptions, type OptionBag } from "../../lib/options/check.ts";
import type { ChildEnds, EndedChild, NewChildren } from "../../store/verbs/children.ts";
import type { NewJob } from "../../store/verbs/submission.ts";
import { prepareOptions, withPayload } from "../../submit/submit.ts";
import type { Waits } from "../../workflow/waits.ts";
import type { AttemptPort } from "./port.ts";

const MAX_KEY_CHARS = 255;
/** Results of one join that are read into memory at once. */
const MAX_RESULT_BYTES = 16 * 1024 ** 2;

export interface ChildrenParts {
  port: Pick<AttemptPort, "startChildren" | "childEnds" | "dependencies">;
  waits: Waits;
  held: <T>(answer: T) => Exclude<T, "lease-lost">;
  /** Checks the name of an undo handler, and that nothing else in the stage is undone under this name. */
  useUndo: (handler: unknown, name: string) => void;
  /** Children belong to the trace of their parent. */
  trace: { traceId?: string; traceParent?: string };
}

type Undoable<Options> = Options & { undo?: string };

export class Children {
  readonly #parts: ChildrenParts;

  constructor(parts: ChildrenParts) {
    this.#parts = parts;
  }

  runChild(name: string, kind: Kind, payload: unknown, options: Undoable<ChildOptions> = {}): Promise<unknown> {
    const call = `ctx.runChild("${name}")`;
    const { ifChildFails = "fail", undo, ...submission } = options;
    const start = async () => {
      checkCall(call, kind, CHILD, options);
      return { mode: ifChildFails, jobs: [await this.#job(kind, payload, submission)], keys: [""] };
    };
    return this.#wait(call, { name, undo }, start, async (own) => {
      const { children, failed } = await this.#ends(call, own, true);
      if (failed) throw failure(failed);
      return resultOf(children[0] as EndedChild);
    });
  }

  runChildren(
    name: string,
    kind: Kind,
    payloads: readonly unknown[],
    options: Undoable<ChildrenOptions> = {},
  ): Promise<unknown[] | ChildCounts> {
    const call = `ctx.runChildren("${name}")`;
    const { ifChildFails = "fail", key, results = true, undo, ...submission } = options;
    const start = async () => {
      checkCall(call, kind, CHILDREN, options);
      if (!Array.isArray(payloads)) throw new AppError("invalid-request", `${call} needs an array of payloads.`);
      const keys = payloads.map((payload, i) => keyOf(call, key, payload, i));
      refuseEqual(call, keys);
      const jobs: NewJob[] = [];
      for (const payload of payloads) jobs.push(await this.#job(kind, payload, submission));
      return { mode: ifChildFails, jobs, keys };
    };
    return this.#wait(call, { name, undo }, start, async (own) => {
      const { children, failed } = await this.#ends(call, own, results);
      if (failed) throw failure(failed);
      if (!results) return countsOf(children);
      return ifChildFails === "collect" ? children.map(endOf) : children.map(resultOf);
    });
  }

  async submit(name: string, kind: Kind, payload: unknown, options: ChildSubmitOptions = {}): Promise<string> {
    const call = `ctx.submit("${name}")`;
    const { waits, port, held } = this.#parts;
    const stored = await waits.store(call, { type: "submitted", name }, async (own) => {
      checkCall(call, kind, CHILD_SUBMISSION, options);
      const jobs = [await this.#job(kind, payload, options)];
      return held(
        await permanently(() =>
          port.startChildren({ type: "submitted", name: own, mode: "collect", jobs, keys: [""] }),
        ),
      );
    });
    return (JSON.parse(stored.value ?? "[]") as string[])[0] as string;
  }

  async dependencies(): Promise<Record<string, ChildEnd<unknown>>> {
    const { port, held } = this.#parts;
    const ends = held(await port.dependencies({ results: true, maxBytes: MAX_RESULT_BYTES }));
    refuseLarge("ctx.dependencies()", ends);
    return Object.fromEntries(ends.children.map((child) => [child.key, endOf(child)]));
  }

  #wait<T>(
    call: string,
    { name, undo }: { name: string; undo: string | undefined },
    start: () => Promise<{ mode: JoinMode; jobs: NewJob[]; keys: string[] }>,
    read: (own: string) => Promise<T>,
  ): Promise<T> {
    const { waits, port, held, useUndo } = this.#parts;
    const begin = async (own: string): Promise<StoredWait> => {
      const withUndo = undo === undefined ? {} : { undo };
      const children: NewChildren = { type: "children", name: own, ...withUndo, ...(await start()) };
      return held(await permanently(() => port.startChildren(children)));
    };
    return waits.start(
      call,
      { type: "children", name },
      (own) => {
        if (undo !== undefined) useUndo(undo, own);
        return { type: "children", name: own };
      },
      (stored) => read(stored.name),
      begin,
    );
  }

  async #ends(call: string, name: string, results: boolean): Promise<ChildEnds> {
    const { port, held } = this.#parts;
    const wait = { type: "children", name } as const;
    const ends = held(await port.childEnds(wait, { results, maxBytes: MAX_RESULT_BYTES }));
    if (!ends.failed) refuseLarge(call, ends);
    return ends;
  }

  async #job(kind: Kind, payload: unknown, options: ChildSubmitOptions): Promise<NewJob> {
    return withPayload(kind, payload, { ...this.#parts.trace, ...prepareOptions(kind, options) });
  }
}

/** Turns a refusal of the store into a failure for good, because the next attempt would be refused too. */
async function permanently<T>(start: () => Promise<T>): Promise<T> {
  try {
    return await start();
  } catch (error) {
    if (!(error instanceof AppError) || !PERMANENT.has(error.code)) throw error;
    const { code, message, hint } = error;
    throw new JobFailure(hint === undefined ? message : `${message} ${hint}`, { code, permanent: true });
  }
}

const PERMANENT = new Set(["child-limit", "child-is-ancestor", "kind-unknown"]);

function checkCall(call: string, kind: Kind, bag: OptionBag, options: object): void {
  if (typeof kind !== "object" || kind === null || !("schema" in kind)) {
    throw new AppError("invalid-request", `${call} needs a kind made by defineKind().`);
  }
  checkOptions({ ...bag, what: call }, options);
}

function keyOf(call: string, key: ChildrenOptions["key"], payload: unknown, index: number): string {
  const made = key ? key(payload, index) : payload;
  if (typeof made === "string" && made !== "" && made.length <= MAX_KEY_CHARS) return made;
  throw new AppError(
    "invalid-request",
    `The key of payload ${index} of ${call} must be a string of 1 to ${MAX_KEY_CHARS} characters.`,
    { hint: "Pass key: (payload) => payload.id, or another value that differs for each payload." },
  );
}

function refuseEqual(call: string, keys: readonly string[]): void {
  const seen = new Set<string>();
  for (const key of keys) {
    if (seen.has(key)) throw new AppError("invalid-request", `Two payloads of ${call} have the key "${key}".`);
    seen.add(key);
  }
}

function refuseLarge(call: string, { tooLarge }: ChildEnds): void {
  if (tooLarge === undefined) return;
  throw new JobFailure(
    `The results of ${call} have ${tooLarge} bytes; the limit is ${MAX_RESULT_BYTES}. Pass "results: false" to get ids and counts.`,
    { code: "results-too-large", permanent: true },
  );
}

function failure({ jobId, failure: reason }: EndedChild): ChildFailed {
  return new ChildFailed(jobId, reason as Failure);
}

function resultOf({ result }: EndedChild): unknown {
  return JSON.parse(result ?? "null");
}

function endOf(child: EndedChild): ChildEnd<unknown> {
  if (child.state === "completed") return { ok: true, result: resultOf(child) };
  return { ok: false, jobId: child.jobId, failure: child.failure as Failure };
}

function countsOf(children: readonly EndedChild[]): ChildCounts {
  const completed = children.filter(({ state }) => state === "completed").length;
  return { jobIds: children.map(({ jobId }) => jobId), completed, failed: children.length - completed };
}
