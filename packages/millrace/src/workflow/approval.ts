import type { Approval, ApprovalOptions } from "../job/waiting.ts";
import { AppError } from "../lib/app-error.ts";
import { toJsonText } from "../lib/json/json-text.ts";
import { checkOptions, type OptionBag } from "../lib/options/check.ts";
import { anything, other } from "../lib/options/option.ts";
import { timeoutOf } from "./signal.ts";
import type { Waits } from "./waits.ts";

const MOST_CHOICES = 10;
const MAX_CHOICE_CHARS = 100;
const MAX_TITLE_CHARS = 500;
const MAX_DETAILS_BYTES = 65_536;

const MAX_AUDIENCE_CHARS = 100;

const OPTIONS: OptionBag = {
  what: "ctx.waitForApproval",
  options: {
    title: other(`a string of 1 to ${MAX_TITLE_CHARS} characters`, isTitle),
    choices: other(
      `an array of 2 to ${MOST_CHOICES} different strings of up to ${MAX_CHOICE_CHARS} characters, such as ["yes", "no"]`,
      areChoices,
    ),
    details: anything(),
    audience: other(
      `a name or an array of up to ${MOST_CHOICES} names of 1 to ${MAX_AUDIENCE_CHARS} characters`,
      isAudience,
    ),
    timeout: anything(),
  },
};

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
  checkOptions(OPTIONS, options);
  const { title, choices, details, audience } = options;
  // A missing title or choices are reported by the check above.
  if (!isTitle(title) || !areChoices(choices)) {
    throw new AppError("invalid-request", `${call} needs a title and choices.`, {
      hint: '{ title: "Ship order 7?", choices: ["yes", "no"] }',
    });
  }
  const shown = {
    title,
    choices,
    ...(details !== undefined && { details }),
    audience: audience === undefined ? [] : [audience].flat(),
  };
  return toJsonText(shown, `details of ${call}`, MAX_DETAILS_BYTES);
}

function isTitle(title: unknown): boolean {
  return typeof title === "string" && title.trim() !== "" && title.length <= MAX_TITLE_CHARS;
}

function areChoices(choices: unknown): boolean {
  const isChoice = (each: unknown) => typeof each === "string" && each !== "" && each.length <= MAX_CHOICE_CHARS;
  return (
    Array.isArray(choices) &&
    choices.length >= 2 &&
    choices.length <= MOST_CHOICES &&
    choices.every(isChoice) &&
    new Set(choices).size === choices.length
  );
}

function isAudience(audience: unknown): boolean {
  const names = [audience].flat();
  const isName = (each: unknown) => typeof each === "string" && each !== "" && each.length <= MAX_AUDIENCE_CHARS;
  return names.length <= MOST_CHOICES && names.every(isName);
}
