import type { Decision } from "../verbs/waits.ts";
import { OPEN } from "../waits/codes.ts";

/** An approval as it is stored. */
export interface ApprovalFacts {
  state: number;
  until: number | null;
  details: string;
}

const MAX_COMMENT_CHARS = 10_000;

export type ApprovalVerdict =
  | { type: "answer"; value: string }
  | { type: "conflict"; message: string }
  | { type: "invalid"; message: string };

export function decideOn(approval: ApprovalFacts, decision: Decision, now: number): ApprovalVerdict {
  if (approval.state !== OPEN) return { type: "conflict", message: "The approval is already decided or closed." };
  if (approval.until !== null && approval.until <= now) {
    return { type: "conflict", message: "The approval has expired." };
  }
  const { choices } = JSON.parse(approval.details) as { choices: string[] };
  const { choice, by, comment } = decision;
  if (!choices.includes(choice)) {
    return { type: "invalid", message: `The choice must be one of: ${choices.join(", ")}.` };
  }
  if (comment !== undefined && comment.length > MAX_COMMENT_CHARS) {
    return { type: "invalid", message: `A comment has at most ${MAX_COMMENT_CHARS} characters.` };
  }
  const at = new Date(now).toISOString();
  return { type: "answer", value: JSON.stringify({ choice, by, at, ...(comment !== undefined && { comment }) }) };
}
