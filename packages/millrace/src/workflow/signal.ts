import type { Duration, SignalWaitOptions } from "../job/waiting.ts";
import { checkOptions, type OptionBag } from "../lib/options/check.ts";
import { anything, other } from "../lib/options/option.ts";
import { schemaError } from "../lib/schema-error.ts";
import { durationMs } from "./duration.ts";
import { UnfitSignal, type Waits } from "./waits.ts";

const OPTIONS: OptionBag = {
  what: "ctx.waitForSignal",
  options: { schema: other("a schema of zod, valibot or arktype", isSchema), timeout: anything() },
};

export function waitForSignal(waits: Waits, name: string, options: SignalWaitOptions = {}): Promise<unknown> {
  const call = `ctx.waitForSignal("${name}")`;
  return waits.start(
    call,
    { type: "signal", name },
    (own) => {
      checkOptions(OPTIONS, options);
      return { type: "signal", name: own, ...timeoutOf(call, options.timeout) };
    },
    async (stored) => {
      if (stored.state === "timed-out") return undefined;
      const value: unknown = JSON.parse(stored.value ?? "null");
      if (!options.schema) return value;
      const checked = await options.schema["~standard"].validate(value);
      if (checked.issues) {
        const message = `The value of the signal "${name}" does not fit`;
        throw new UnfitSignal(schemaError("invalid-request", message, checked.issues).message);
      }
      return checked.value;
    },
  );
}

export function timeoutOf(call: string, timeout: Duration | undefined): { timeoutMs?: number } {
  return timeout === undefined ? {} : { timeoutMs: durationMs(`The timeout of ${call}`, timeout) };
}

function isSchema(value: unknown): boolean {
  return typeof value === "object" || typeof value === "function"
    ? typeof (value as { "~standard"?: { validate?: unknown } } | null)?.["~standard"]?.validate === "function"
    : false;
}
