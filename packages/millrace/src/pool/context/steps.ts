import { AppError } from "../../lib/app-error.ts";
import type { Jsonified } from "../../lib/json/jsonified.ts";
import type { AttemptLease } from "./attempt-lease.ts";
import type { AttemptPort } from "./port.ts";
import { storableText } from "./storable.ts";

const MAX_STEP_BYTES = 1_048_576;
/** Answers to `ctx.hold` are stored as steps with names that begin with this. */
const ANSWER = "released:";

/** The stored steps of one stage of a job, and how one more is run. */
export class Steps {
  readonly #lease: AttemptLease;
  readonly #port: AttemptPort;
  readonly #hasStored: boolean;
  /** The names that this attempt has used. */
  readonly #used = new Set<string>();
  #values: Promise<Map<string, string>> | undefined;

  constructor(lease: AttemptLease, port: AttemptPort, { hasStored }: { hasStored: boolean }) {
    this.#lease = lease;
    this.#port = port;
    this.#hasStored = hasStored;
  }

  async run<T>(name: string, fn: () => T | Promise<T>): Promise<Jsonified<T>> {
    this.#use(name, fn);
    const values = await this.#load();
    const known = values.get(name);
    if (known !== undefined) return JSON.parse(known) as Jsonified<T>;
    // A step cannot be undone, so the lease must hold right now. The store's answer may have waited in a process that stood
    // still. Nothing else can run between the last look at the clock and the step.
    let lease = await this.#lease.confirm();
    while (lease.isOver) lease = await this.#lease.confirm();
    const value = storableText(await fn(), `value of step "${name}"`, MAX_STEP_BYTES);
    this.#lease.held(await this.#port.saveStep(name, value));
    values.set(name, value);
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

  #use(name: unknown, fn: unknown): void {
    if (typeof name !== "string" || name === "" || typeof fn !== "function") {
      throw new AppError("invalid-request", "ctx.step() needs a name and a function.", {
        hint: 'await ctx.step("charge", () => chargeCard(order))',
      });
    }
    if (name.startsWith(ANSWER)) {
      throw new AppError("step-name-reserved", `A step cannot be called "${name}": answers to a hold have such names.`);
    }
    if (this.#used.has(name)) {
      throw new AppError("step-name-reused", `The step "${name}" was run before in this stage.`, {
        hint: "Give each step its own name; in a loop, add the item's key to it.",
      });
    }
    this.#used.add(name);
  }

  /** Read once: only this attempt adds to them while it has the lease. */
  #load(): Promise<Map<string, string>> {
    this.#values ??= this.#read();
    return this.#values;
  }

  async #read(): Promise<Map<string, string>> {
    if (!this.#hasStored) return new Map();
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
