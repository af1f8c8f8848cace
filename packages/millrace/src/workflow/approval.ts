import type { Approval, ApprovalOptions } from "../job/waiting.ts";
import { AppError } from "../lib/app-error.ts";
import { timeoutOf } from "./signal.ts";
import type { Waits } from "./waits.ts";

const MOST_CHOICES = 10;
const MAX_CHOICE_CHARS = 100;
const MAX_TITLE_CHARS = 500;
const MAX_DETAILS_CHARS = 65_536;

export function waitForApproval<Choice extends string>(
  waits: Waits,
  name: string,
  options: ApprovalOptions<Choice>,
): Promise<Approval<Choice> | undefined> {
  const call = `ctx.waitForApproval("${name}")`;
  return waits.start(
    call,
    { type: "approval", name },
    (own) => ({
      type: "approval",
      name: own,
      details: detailsOf(call, options),
      ...timeoutOf(call, options.timeout),
    }),
    (stored) => (stored.state === "timed-out" ? undefined : (JSON.parse(stored.value ?? "null") as Approval<Choice>)),
  );
}

function detailsOf(call: string, options: ApprovalOptions): string {
  const { title, choices, details, audience } = options ?? {};
  if (typeof title !== "string" || title.trim() === "" || title.length > MAX_TITLE_CHARS) {
    throw new AppError("invalid-request", `${call} needs a title of 1 to ${MAX_TITLE_CHARS} characters.`);
  }
  if (!Array.isArray(choices) || !areChoices(choices)) {
    throw new AppError(
      "invalid-request",
      `${call} needs 2 to ${MOST_CHOICES} different choices, strings of up to ${MAX_CHOICE_CHARS} characters.`,
      { hint: 'choices: ["yes", "no"]' },
    );
  }
  const text = JSON.stringify({ title, choices, details, audience: audience === undefined ? [] : [audience].flat() });
  if (text.length <= MAX_DETAILS_CHARS) return text;
  throw new AppError(
    "too-large",
    `The details of ${call} are ${text.length} characters; the limit is ${MAX_DETAILS_CHARS}.`,
  );
}

function areChoices(choices: readonly unknown[]): boolean {
  const isChoice = (each: unknown) => typeof each === "string" && each !== "" && each.length <= MAX_CHOICE_CHARS;
  return (
    choices.length >= 2 &&
    choices.length <= MOST_CHOICES &&
    choices.every(isChoice) &&
    new Set(choices).size === choices.length
  );
}
