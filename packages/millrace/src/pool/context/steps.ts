import { hash } from "node:crypto";
import type { StepOptions, StepRun } from "../../job/context.ts";
import type { ClaimedJob, WriteAnswer } from "../../job/lease.ts";
import type { NewWait } from "../../job/wait.ts";
import { AppError } from "../../lib/app-error.ts";
import type { Jsonified } from "../../lib/json/jsonified.ts";
import { checkOptions, type OptionBag } from "../../lib/options/check.ts";
import { anything, onOff, other } from "../../lib/options/option.ts";
import type { AttemptLease } from "./attempt-lease.ts";
import { runInStep } from "./current-step.ts";
import type { ContextNames } from "./names.ts";
import type { AttemptPort } from "./port.ts";
import { storableText } from "./storable.ts";
import type { Streams } from "./streams.ts";

const MAX_STEP_BYTES = 1_048_576;
/** Answers to `ctx.hold` are stored as steps with names that begin with this. */
const ANSWER = "released:";
/** What an undo handler did is stored as a step with a name that begins with this. */
const UNDO = "undo:";

const STEP_OPTIONS = {
  renamedFrom: other<string | readonly string[]>("the earlier name of the step, or an array of names", areNames),
  undo: anything(),
};
const STEP: OptionBag = { what: "ctx.step", options: { ...STEP_OPTIONS, tx: anything() } };
const TRANSACTION: OptionBag = { what: "ctx.transaction", options: { ...STEP_OPTIONS, complete: onOff() } };

/** The call of a step whose name and options are valid. */
export interface StepCall {
  readonly name: string;
  /** Its name, and then its earlier names, the oldest first. */
  readonly names: readonly [string, ...string[]];
  readonly undo: string | undefined;
}

/** The JSON that is stored for a step, or the key to run it with. */
export type StepBeginning = { readonly stored: string } | { readonly key: string };

export interface StepsOptions {
  lease: AttemptLease;
  port: AttemptPort;
  job: ClaimedJob;
  names: ContextNames;
  /** Waits whose start no commit has stored yet. They travel with the next step. */
  drainWaits: () => NewWait[];
  /** The streams of the attempt; undefined if it has none. */
  streams: () => Streams | undefined;
}

/** The stored steps of one stage of a job, and how one more is run. */
export class Steps {
  readonly #lease: AttemptLease;
  readonly #port: AttemptPort;
  readonly #job: ClaimedJob;
  readonly #names: ContextNames;
  readonly #drainWaits: () => NewWait[];
  /** The streams of the attempt; undefined if it has none. */
  readonly #streams: () => Streams | undefined;
  /** The names that this attempt has used. */
  readonly #used = new Set<string>();
  /** The steps and children of this attempt that name an undo handler. */
  readonly #undone = new Set<string>();
  #values: Promise<Map<string, string>> | undefined;
  #first: Promise<string | "lease-lost"> | undefined;
  #undoable: Promise<WriteAnswer> | undefined;

  constructor({ lease, port, job, names, drainWaits, streams }: StepsOptions) {
    this.#lease = lease;
    this.#port = port;
    this.#job = job;
    this.#names = names;
    this.#drainWaits = drainWaits;
    this.#streams = streams;
  }

  async run<T>(
    name: string,
    fn: (step: StepRun) => T | Promise<T>,
    options: StepOptions & { undo?: string } = {},
  ): Promise<Jsonified<T>> {
    return this.#run(this.use("step", name, fn, options), fn);
  }

  /** Checks a call, and takes its names: no other step of the attempt has them. */
  use(by: "step" | "transaction", name: string, fn: unknown, options: StepOptions & { undo?: string }): StepCall {
    checkOptions(by === "step" ? STEP : TRANSACTION, options);
    const { renamedFrom = [], undo } = options;
    const names = [name, ...[renamedFrom].flat()] as const;
    for (const each of names) this.#use(by, each, fn);
    if (undo !== undefined) this.useUndo(undo, name);
    return { name, names: [name, ...names.slice(1)], undo };
  }

  /** Runs an undo handler as a step. */
  runUndo(name: string, fn: (step: StepRun) => unknown): Promise<unknown> {
    const whole = `${UNDO}${name}`;
    return this.#run({ name: whole, names: [whole], undo: undefined }, fn);
  }

  async #run<T>(call: StepCall, fn: (step: StepRun) => T | Promise<T>): Promise<Jsonified<T>> {
    const beginning = await this.begin(call);
    if ("stored" in beginning) return JSON.parse(beginning.stored) as Jsonified<T>;
    const { key } = beginning;
    // A step cannot be undone, so the lease must hold right now. The store's answer may have waited in a process that stood
    // still. Nothing else can run between the last look at the clock and the step.
    let lease = this.#lease.recent ?? (await this.#lease.confirm());
    while (lease.isOver) lease = await this.#lease.confirm();
    this.#lease.refuseIfClosing();
    return this.save(call, stepText(call.name, await runInStep(call.name, () => fn({ key }))));
  }

  /** Finds the stored value of the step. Without one, the job is made ready for its undo. */
  async begin({ name, names, undo }: StepCall): Promise<StepBeginning> {
    this.#lease.refuseIfClosing();
    const values = await this.#load();
    const known = names.find((each) => values.has(each));
    if (known !== undefined) {
      await this.#streams()?.comeTo(known);
      return { stored: values.get(known) as string };
    }
    const key = await this.#keyOf(names[1] ?? name);
    if (undo !== undefined) await this.#beginUndoable();
    return { key };
  }

  /** Stores the value of a step that has run. */
  async save<T>({ name, undo }: StepCall, value: string): Promise<Jsonified<T>> {
    // Chunks that the step wrote are stored before the step: it will not write them again.
    await this.#streams()?.flush();
    const waits = this.#drainWaits();
    const more = { ...(undo !== undefined && { undo }), ...(waits.length > 0 && { waits }) };
    await this.#lease.confirmBy(() => this.#port.saveStep(name, value, more));
    return this.remember(name, value);
  }

  /** The value is stored by now. */
  async remember<T>(name: string, value: string): Promise<Jsonified<T>> {
    (await this.#load()).set(name, value);
    return JSON.parse(value) as Jsonified<T>;
  }

  async stored<T>(name: string): Promise<T | undefined> {
    const known = (await this.#load()).get(name);
    return known === undefined ? undefined : (JSON.parse(known) as T);
  }

  /** The answers to all holds of this stage, in order. */
  async answers<T>(): Promise<T[]> {
    const number = (name: string) => Number(name.slice(ANSWER.length));
    return [...(await this.#load())]
      .filter(([name]) => name.startsWith(ANSWER))
      .sort(([a], [b]) => number(a) - number(b))
      .map(([, value]) => JSON.parse(value) as T);
  }

  /** The oldest name counts, so that a renamed step keeps its key. */
  async #keyOf(name: string): Promise<string> {
    this.#first ??= this.#job.workflow?.isContinued ? this.#port.firstJob() : Promise.resolve(this.#job.lease.jobId);
    const first = this.#lease.held(await this.#first);
    return hash("sha256", JSON.stringify([first, this.#names.oldestStage ?? this.#names.stage, name]), "hex").slice(
      0,
      40,
    );
  }

  /** From now on a cancellation waits until the steps under way are stored, so that it can undo them. */
  async #beginUndoable(): Promise<void> {
    if (this.#job.workflow?.hasUndos) return;
    this.#undoable ??= this.#port.beginUndoable();
    this.#lease.held(await this.#undoable);
  }

  /** Checks the name of a handler. What it does is stored as a step, so a step and a child cannot share the name. */
  useUndo(handler: unknown, name: string): void {
    const known = this.#names.undo ?? [];
    if (typeof handler !== "string" || !known.includes(handler)) {
      const has = known.length === 0 ? "none" : known.join(", ");
      throw new AppError("invalid-request", `The stage "${this.#names.stage}" has no undo handler "${handler}".`, {
        hint: `Its handlers: ${has}. Add it to \`undo\` of the stage, or to the export \`undo\` of its module.`,
      });
    }
    if (this.#undone.has(name)) {
      throw new AppError("invalid-request", `Two undos of the stage "${this.#names.stage}" have the name "${name}".`, {
        hint: "Give the step and the child different names.",
      });
    }
    this.#undone.add(name);
  }

  #use(by: "step" | "transaction", name: unknown, fn: unknown): void {
    if (typeof name !== "string" || name === "" || typeof fn !== "function") {
      const needs = by === "step" ? "a name and a function" : "a name, a database and a function";
      throw new AppError("invalid-request", `ctx.${by}() needs ${needs}.`, { hint: EXAMPLES[by] });
    }
    const reserved = [ANSWER, UNDO].find((prefix) => name.startsWith(prefix));
    if (reserved !== undefined) {
      throw new AppError("step-name-reserved", `The name of a step cannot begin with "${reserved}".`);
    }
    if (this.#used.has(name)) {
      throw new AppError("step-name-reused", `The step "${name}" was run before in this stage.`, {
        hint: `In a loop, add the index to the name: ctx.step(\`${name} \${index}\`, …).`,
      });
    }
    this.#used.add(name);
  }

  /** The steps are read once: only this attempt adds to them while it has the lease. */
  #load(): Promise<Map<string, string>> {
    this.#values ??= this.#read();
    return this.#values;
  }

  async #read(): Promise<Map<string, string>> {
    if (!this.#job.hasSteps) return new Map();
    try {
      const stored = this.#lease.held(await this.#port.storedSteps());
      return new Map(stored.map(({ name, value }) => [name, value]));
    } catch (error) {
      // The next step asks again.
      this.#values = undefined;
      throw error;
    }
  }
}

/** The JSON of a value that a step returned. */
export function stepText(name: string, value: unknown): string {
  return storableText(value, `value of step "${name}"`, MAX_STEP_BYTES);
}

const EXAMPLES = {
  step: 'await ctx.step("charge", () => chargeCard(order))',
  transaction: 'await ctx.transaction("book", pool, (tx) => book(tx, order))',
};

function areNames(value: unknown): boolean {
  return typeof value === "string" || (Array.isArray(value) && value.every((each) => typeof each === "string"));
}
