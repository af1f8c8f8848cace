import { AsyncLocalStorage } from "node:async_hooks";
import type { Kind } from "../../job/kind/kind.ts";
import { JOB_EVENT_NAMES, type JobEventName, type JobEvents } from "../../job/report/job-event.ts";
import { AppError } from "../../lib/app-error.ts";
import { nameMeant } from "../../lib/did-you-mean.ts";
import type { Jsonified } from "../../lib/json/jsonified.ts";
import { checkOptions, type OptionBag } from "../../lib/options/check.ts";
import { abortSignal, type OptionValues, onOff, other } from "../../lib/options/option.ts";

const HOOK_OPTIONS = {
  /** True: events of all processes on the same store. Default: false, events of this process. */
  everywhere: onOff(),
  /** Ends the subscription when it is aborted. Default: none. */
  signal: abortSignal(),
} as const;

/** Options of `millrace.on()`. */
export interface HookOptions<Input = unknown, Result = unknown> extends OptionValues<typeof HOOK_OPTIONS> {
  /** Only events of this kind. Given as an object, it also types `payload` and `result`. Default: all kinds. */
  kind?: Kind<Input, Result> | string;
}

const KIND = other<Kind | string>("a kind or its name", (kind) => {
  return typeof kind === "string" || typeof (kind as Kind | null)?.name === "string";
});
const HOOK: OptionBag = { what: "on", options: { ...HOOK_OPTIONS, kind: KIND } };

/** Called with each event. Its return value is ignored; an error that it throws is logged. */
export type Hook<Name extends JobEventName, Input = unknown, Result = unknown> = (
  event: JobEvents<Jsonified<Input>, Result>[Name],
) => unknown;

/** A subscription. */
export interface Subscription {
  readonly name: JobEventName;
  readonly kind: string | undefined;
  readonly isEverywhere: boolean;
  /** The number of the last event that was queued before the subscription. It does not get those. */
  readonly after: number;
  readonly sinceAt: number;
  /** Runs the hook in the async context of its subscription: that of the event belongs to some processor. */
  call(event: unknown): unknown;
}

export function subscriptionOf(
  name: JobEventName,
  hook: (event: never) => unknown,
  options: HookOptions,
  { after, sinceAt }: { after: number; sinceAt: number },
): Subscription {
  checkHook(name, hook, options);
  const { kind, everywhere = false } = options;
  const inContext = AsyncLocalStorage.snapshot();
  return {
    name,
    kind: typeof kind === "object" ? kind.name : kind,
    isEverywhere: everywhere,
    after,
    sinceAt,
    call: (event) => inContext(() => hook(event as never)),
  };
}

function checkHook(name: string, hook: unknown, options: HookOptions): void {
  if (!JOB_EVENT_NAMES.includes(name)) {
    const meant = typeof name === "string" ? nameMeant(name, JOB_EVENT_NAMES) : undefined;
    throw new AppError("invalid-request", `Unknown event "${name}".${meant ? ` Did you mean "${meant}"?` : ""}`, {
      hint: `Known events: ${JOB_EVENT_NAMES.join(", ")}.`,
    });
  }
  if (typeof hook !== "function") {
    throw new AppError("invalid-request", `on("${name}") needs a function.`, {
      hint: `millrace.on("${name}", (event) => { … })`,
    });
  }
  checkOptions(HOOK, options);
}
