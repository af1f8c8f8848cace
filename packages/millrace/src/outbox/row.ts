// A row of an outbox: written from a submission, and read again as one.

import { randomUUID } from "node:crypto";
import type { Failure } from "../job/failure.ts";
import type { Kind } from "../job/kind/kind.ts";
import type { SubmitOptions } from "../job/options/submit-options.ts";
import { AppError, messageOf } from "../lib/app-error.ts";
import { isObject } from "../lib/options/option.ts";
import type { OutboxRow } from "../store/verbs/outbox/outboxes.ts";
import type { Intake, SubmitRequests } from "../submit/intake.ts";
import { checkKey, checkTenant, MAX_PAYLOAD_BYTES, prepareOptions, withPayload } from "../submit/submit.ts";
import type { StoredRow } from "./databases/database.ts";

/** The values of a row, in the order of its columns. */
export interface NewRow {
  readonly id: string;
  readonly kind: string;
  readonly payload: string;
  readonly options: string | null;
  readonly tenant: string | null;
}

/** The row of a valid submission. A promise if the schema of the kind is asynchronous. */
export function newRow(kind: Kind, payload: unknown, given: SubmitOptions): NewRow | Promise<NewRow> {
  if (typeof kind?.name !== "string") {
    throw new AppError("kind-unknown", "submit() needs a kind as its first argument.", {
      hint: "Pass the kind itself, not its name.",
    });
  }
  const { tenant, idempotencyKey, delayMs, ...rest } = given;
  if (tenant !== undefined) checkTenant(tenant);
  if (idempotencyKey !== undefined) checkKey(idempotencyKey, "idempotency key");
  const shared = prepareOptions(kind, given);
  // The delay counts from now, not from when the row becomes a job.
  const runAt = delayMs === undefined ? rest.runAt : new Date(Date.now() + delayMs);
  const options = { ...rest, ...(runAt && { runAt }), ...(idempotencyKey !== undefined && { idempotencyKey }) };
  const row = ({ payload: text }: { payload: string }): NewRow => ({
    id: randomUUID(),
    kind: kind.name,
    payload: text,
    options: Object.keys(options).length === 0 ? null : JSON.stringify(options),
    tenant: tenant ?? null,
  });
  const checked = withPayload(kind, payload, shared);
  return checked instanceof Promise ? checked.then(row) : row(checked);
}

/** The row as the store takes it. One that no kind accepts has a failure. */
export async function toOutboxRow(row: StoredRow, intake: Pick<Intake, "prepare">): Promise<OutboxRow> {
  try {
    return { id: row.id, submission: await intake.prepare(requestsOf(row)) };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { id: row.id, submission: deadSubmissionOf(row), failure: failureOf(error) };
  }
}

function requestsOf({ kind, payload, options: given, tenant }: StoredRow): SubmitRequests {
  const options = given === null ? {} : jsonOf(given, "options");
  if (!isObject(options) || Array.isArray(options)) {
    throw new AppError("invalid-request", "The options of the row must be a JSON object.");
  }
  const { idempotencyKey, runAt, ...rest } = options as SubmitOptions & { runAt?: unknown };
  const time = typeof runAt === "string" || typeof runAt === "number" ? new Date(runAt) : runAt;
  return {
    tenant: tenant ?? "default",
    requests: [
      {
        kind,
        payload: jsonOf(payload, "payload"),
        options: { ...rest, ...(time !== undefined && { runAt: time }) } as SubmitOptions,
      },
    ],
    ...(idempotencyKey !== undefined && { idempotency: { key: idempotencyKey } }),
  };
}

/** Drivers parse columns of type JSON. */
function jsonOf(value: unknown, what: string): unknown {
  if (typeof value !== "string") return value;
  try {
    return JSON.parse(value);
  } catch (cause) {
    throw new AppError("invalid-request", `The ${what} of the row is not JSON: ${messageOf(cause)}`, { cause });
  }
}

const SHOWN_CHARS = 1_000;

/** What is kept of a refused row: its payload, if that is JSON of an allowed size, or else the beginning of it. */
function deadSubmissionOf({ kind, payload, tenant }: StoredRow): OutboxRow["submission"] {
  const text = typeof payload === "string" ? payload : JSON.stringify(payload);
  const kept = isStorable(text) ? text : JSON.stringify(text.slice(0, SHOWN_CHARS).toWellFormed().replaceAll("\0", ""));
  return { tenant: isTenant(tenant) ? tenant : "default", jobs: [{ kind, payload: kept }] };
}

function isStorable(text: string): boolean {
  if (text.length * 3 > MAX_PAYLOAD_BYTES && Buffer.byteLength(text) > MAX_PAYLOAD_BYTES) return false;
  try {
    const value = JSON.stringify(JSON.parse(text));
    return !/\\u0000|\\ud[89a-f]/i.test(value);
  } catch {
    return false;
  }
}

function isTenant(tenant: string | null): tenant is string {
  try {
    return tenant !== null && checkTenant(tenant) === tenant;
  } catch {
    return false;
  }
}

function failureOf({ code, message, hint }: AppError): Failure {
  return { code, message: hint === undefined ? message : `${message} ${hint}`, permanent: true };
}
