import assert from "node:assert/strict";
import { test } from "node:test";
import { ERRORS } from "../api/errors.ts";
import { AppError } from "../lib/app-error.ts";
import { type Log, silentLog } from "../telemetry/log/log.ts";
import { errorResponse } from "./errors.ts";

test("the log has faults of the server, and no refusal of a server that stops", () => {
  const logged: unknown[] = [];
  const error: Log["error"] = (_event, fields) => void logged.push((fields?.["error"] as AppError | undefined)?.code);
  const log: Log = { ...silentLog, error };
  const statusOf = (code: string) =>
    errorResponse(new AppError(code, "x"), "trace", { log, errors: ERRORS, about: {} }).status;
  assert.deepEqual([statusOf("store-unavailable"), statusOf("stopping"), statusOf("invalid-request")], [503, 503, 422]);
  assert.deepEqual(logged, ["store-unavailable"]);
});
