import { setTimeout as pause } from "node:timers/promises";
import type { StandardSchemaV1 } from "@standard-schema/spec";
import { AppError } from "../lib/app-error.ts";
import { backoffMs } from "../lib/backoff.ts";
import { toJsonText } from "../lib/json/json-text.ts";
import { checkOptions } from "../lib/options/check.ts";
import { schemaError } from "../lib/schema-error.ts";
import type { Store } from "../store/store.ts";
import type { NewRecord, RecordEntry, RecordName } from "../store/verbs/records.ts";
import { checkKey, checkTenant } from "../submit/submit.ts";
import { checkSpace, conflictError } from "./record-checks.ts";
import {
  DELETE,
  type DeleteRecordOptions,
  GET,
  LIST,
  LIST_LIMIT,
  type ListRecordsOptions,
  PUT,
  type PutRecordOptions,
  type RecordOptions,
  UPDATE,
  type UpdateRecordOptions,
} from "./record-options.ts";

export const MAX_RECORD_BYTES = 262_144;
/** The most tries of one update. Each try that fails means that another writer succeeded. */
const UPDATE_TRIES = 20;
const UPDATE_PAUSE = { baseMs: 2, maxMs: 100 };

/** A record as it is stored. */
export interface StoredRecord<Value> {
  /** The key of the record, 1 to 255 characters. */
  key: string;
  /** The value, parsed by the schema if `records()` was given one. */
  value: Value;
  /** Grows with every write; no version is used twice. Pass it as `ifVersion` to write only what you have read. */
  version: number;
  /** When the record was last written. */
  updatedAt: Date;
  /** When the record is deleted. Missing if it does not expire. */
  expiresAt?: Date;
}

/** One page of records. */
export interface RecordPage<Value> {
  /** The records, sorted by key in the order of code points. */
  records: StoredRecord<Value>[];
  /** Pass it as `after` to read the next page. Missing on the last page. */
  next?: string;
}

/**
 * Durable JSON values by key: the records of one space. `millrace.records(space)` returns one. `Value` is what `get`
 * returns and `Input` what `put` takes; they differ where JSON or the schema changes a value.
 *
 * @example
 * ```ts
 * import { Millrace, sqlite } from "millrace";
 *
 * const millrace = await Millrace.open({ store: sqlite("./data/jobs.db") });
 * const cursors = millrace.records<string>("cursors");
 * await cursors.put("orders", "2026-11-18T10:00:00Z", { expiresInMs: 86_400_000 });
 * const found = await cursors.get("orders");
 * console.log(found?.value, found?.version);
 * await millrace.stop();
 * ```
 */
export class Records<Value, Input = Value> {
  readonly #store: Store;
  readonly #space: string;
  readonly #schema: StandardSchemaV1<unknown, Value> | undefined;

  /** @internal */
  constructor(store: Store, space: string, options: { schema?: StandardSchemaV1<unknown, Value> | undefined } = {}) {
    checkSpace(space, options);
    this.#store = store;
    this.#space = space;
    this.#schema = options.schema;
  }

  /** The record, or undefined if it does not exist or has expired. */
  async get(key: string, options: RecordOptions = {}): Promise<StoredRecord<Value> | undefined> {
    checkOptions(GET, options);
    const found = await this.#store.findRecord(this.#name(key, options));
    return found && this.#viewOf(found);
  }

  /** Creates or replaces the record. Throws `record-conflict` if it does not have the version `ifVersion`. */
  async put(key: string, value: Input, options: PutRecordOptions = {}): Promise<{ version: number }> {
    checkOptions(PUT, options);
    const { ifVersion, expiresInMs } = options;
    const name = this.#name(key, options);
    const answer = await this.#store.putRecord({
      ...name,
      value: await this.#textOf(key, value),
      ...(ifVersion !== undefined && { ifVersion }),
      ...(expiresInMs !== undefined && { expiresInMs }),
    });
    if ("conflict" in answer) throw conflictError(name, answer.conflict, ifVersion);
    return { version: answer.version };
  }

  /**
   * Deletes the record. Returns false if there was none. Throws `record-conflict` if it does not have the version
   * `ifVersion`.
   */
  async delete(key: string, options: DeleteRecordOptions = {}): Promise<boolean> {
    checkOptions(DELETE, options);
    const name = this.#name(key, options);
    const answer = await this.#store.deleteRecord(name, options.ifVersion);
    if (typeof answer === "boolean") return answer;
    throw conflictError(name, answer.conflict, options.ifVersion);
  }

  /** One page of records, sorted by key. */
  async list(options: ListRecordsOptions = {}): Promise<RecordPage<Value>> {
    checkOptions(LIST, options);
    const { prefix, after, limit = LIST_LIMIT } = options;
    const found = await this.#store.listRecords({
      space: this.#space,
      tenant: checkTenant(options.tenant ?? "default"),
      ...(prefix !== undefined && { prefix }),
      ...(after !== undefined && { after }),
      // One more shows whether there is another page.
      limit: limit + 1,
    });
    const records = await Promise.all(found.slice(0, limit).map((each) => this.#viewOf(each)));
    const last = records.at(-1);
    return found.length > limit && last ? { records, next: last.key } : { records };
  }

  /**
   * Reads the record, calls `change` with its value and writes what `change` returns. If another writer was faster, reads
   * and calls again, up to 20 times, and then throws `record-conflict`. If `change` returns undefined, nothing is written.
   * Returns the record as it is stored then; undefined if there is none.
   */
  async update(
    key: string,
    change: (current: Value | undefined) => Input | undefined | Promise<Input | undefined>,
    options: UpdateRecordOptions = {},
  ): Promise<StoredRecord<Value> | undefined> {
    checkOptions(UPDATE, options);
    if (typeof change !== "function") {
      throw new AppError("invalid-request", "update() needs a function that takes the value and returns the next one.");
    }
    const name = this.#name(key, options);
    for (let tries = 1; ; tries++) {
      const found = await this.#store.findRecord(name);
      const current = found && (await this.#viewOf(found));
      const next = await change(current?.value);
      if (next === undefined) return current;
      const value = await this.#textOf(key, next);
      const answer = await this.#store.putRecord({ ...name, value, ...guardOf(found, options) });
      if (!("conflict" in answer)) return this.#viewOf({ key, value, ...answer });
      if (tries >= UPDATE_TRIES) throw conflictError(name, answer.conflict, found?.version ?? 0);
      await pause(backoffMs(tries, UPDATE_PAUSE, Math.random));
    }
  }

  #name(key: string, { tenant = "default" }: RecordOptions): RecordName {
    return { space: this.#space, tenant: checkTenant(tenant), key: checkKey(key, "key of a record") };
  }

  /** The JSON of a value. It is stored as given: the schema's transforms run when it is read. */
  async #textOf(key: string, value: Input): Promise<string> {
    if (value === undefined) {
      throw new AppError("invalid-request", `The value of the record "${key}" is missing.`, {
        hint: "Pass null, or call delete(key).",
      });
    }
    const text = toJsonText(value, `value of the record "${key}"`, MAX_RECORD_BYTES);
    const checked = await this.#schema?.["~standard"].validate(JSON.parse(text));
    if (!checked?.issues) return text;
    throw schemaError("invalid-request", `The value of the record "${key}" does not fit its schema`, checked.issues);
  }

  async #viewOf({ key, value: text, version, updatedAt, expiresAt }: RecordEntry): Promise<StoredRecord<Value>> {
    const times = {
      updatedAt: new Date(updatedAt),
      ...(expiresAt !== undefined && { expiresAt: new Date(expiresAt) }),
    };
    const stored = JSON.parse(text) as Value;
    const checked = (await this.#schema?.["~standard"].validate(stored)) ?? { value: stored };
    if (!checked.issues) return { key, value: checked.value, version, ...times };
    throw schemaError(
      "record-mismatch",
      `The stored record "${key}" in the space "${this.#space}" does not fit the schema`,
      checked.issues,
      { hint: "Read it with millrace.records(space) without a schema, and write it in its new form." },
    );
  }
}

function guardOf(found: RecordEntry | undefined, { expiresInMs }: UpdateRecordOptions): Partial<NewRecord> {
  const ifVersion = found?.version ?? 0;
  if (expiresInMs !== undefined) return { ifVersion, expiresInMs };
  return found?.expiresAt === undefined ? { ifVersion } : { ifVersion, expiresAt: found.expiresAt };
}
