import type { OperationInfo } from "../../src/client/index.ts";
import { count, duration, plural } from "../lib/format.ts";

type Action = OperationInfo["action"];

/** What an operation does, in the forms that sentences need. */
export const ACTION_WORDS: Record<Action, { readonly title: string; readonly running: string; readonly done: string }> =
  {
    revive: { title: "Revive", running: "Reviving", done: "revived" },
    retry: { title: "Retry", running: "Retrying", done: "retried" },
    cancel: { title: "Cancel", running: "Cancelling", done: "cancelled" },
    delete: { title: "Delete", running: "Deleting", done: "deleted" },
    release: { title: "Release", running: "Releasing", done: "released" },
    reprioritise: { title: "Change the priority of", running: "Changing the priority of", done: "reprioritised" },
    undo: { title: "Undo", running: "Undoing", done: "undone" },
  };

/** The share that is done, 0 to 1. */
export function operationProgress({ total, done, skipped, failed }: OperationInfo): number {
  return total === 0 ? 1 : (done + skipped + failed) / total;
}

/** `12,500 of 30,000 revived, 3 skipped · 6,200 a second, 3 s left`. */
export function progressInWords(operation: OperationInfo): string {
  const { action, total, done, skipped, failed, rate, state, waitsFor } = operation;
  const counts = [
    `${count(done)} of ${count(total)} ${ACTION_WORDS[action].done}`,
    ...(skipped > 0 ? [`${count(skipped)} skipped`] : []),
    ...(failed > 0 ? [`${count(failed)} refused`] : []),
  ].join(", ");
  if (waitsFor !== undefined) return `${counts} · ${waitsFor}`;
  if (state !== "running" || rate === 0) return counts;
  const left = ((total - done - skipped - failed) / rate) * 1_000;
  return `${counts} · ${count(Math.round(rate))} a second, ${duration(left)} left`;
}

/** The message after a person has started an operation. */
export function startedWords({ action, total, state }: OperationInfo): string {
  const jobs = plural(total, "job");
  const words = ACTION_WORDS[action];
  if (state === "completed") return `${jobs} ${words.done}.`;
  return `${words.running} ${jobs}. You can close this page.`;
}

/** The message when it has ended. */
export function endedWords(operation: OperationInfo): string {
  const { action, done, skipped, failed, state } = operation;
  const rest = [
    ...(skipped > 0 ? [`${count(skipped)} skipped`] : []),
    ...(failed > 0 ? [`${count(failed)} refused: see Operations`] : []),
  ];
  const counts = [`${plural(done, "job")} ${ACTION_WORDS[action].done}`, ...rest].join(", ");
  return state === "completed" ? `${counts}.` : `Operation ${state}: ${counts}.`;
}
