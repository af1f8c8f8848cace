import type { OperationInfo } from "../../client/index.ts";
import { EXIT } from "../arguments/exit.ts";
import { pause } from "../pause.ts";
import { plural } from "./format.ts";
import { type ShowFlags, tell } from "./show.ts";

const LOOK_EVERY_MS = 500;
const WIDTH = 24;

/** One line about an operation. */
export function operationLine(operation: OperationInfo): string {
  const { id, action, state } = operation;
  return `${id}  ${action}  ${state}  ${operationBar(operation)}`;
}

/** A bar with the counts. */
export function operationBar({ total, done, skipped, failed, rate, state, waitsFor }: OperationInfo): string {
  const count = done + skipped + failed;
  const filled = total === 0 ? WIDTH : Math.round((WIDTH * count) / total);
  const rest = [
    skipped > 0 && `${skipped} skipped`,
    failed > 0 && `${failed} refused`,
    state === "running" && rate > 0 && `${Math.round(rate)} a second`,
    waitsFor,
  ].filter(Boolean);
  const words = rest.length > 0 ? ` (${rest.join(", ")})` : "";
  return `${"█".repeat(filled)}${"░".repeat(WIDTH - filled)} ${count}/${total}${words}`;
}

interface Finder {
  find(operationId: string): Promise<OperationInfo>;
}

/** Waits until the operation has ended, with a progress bar on a terminal. */
export async function untilEnded(operations: Finder, first: OperationInfo): Promise<OperationInfo> {
  let operation = first;
  while (operation.endedAt === null && operation.id !== null) {
    if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${operationBar(operation)}`);
    await pause(LOOK_EVERY_MS);
    operation = await operations.find(operation.id);
  }
  if (process.stderr.isTTY) process.stderr.write("\r\u001b[K");
  return operation;
}

/** Prints the operation. Exit code 4 if it has failed, or refused jobs. */
export function tellOperation(flags: ShowFlags, operation: OperationInfo): number {
  const { id, total, action, state, failed } = operation;
  tell(flags, operation, id === null ? `${plural(total, "job")} match for ${action}.` : operationLine(operation));
  return state === "failed" || (operation.endedAt !== null && failed > 0) ? EXIT.refused : EXIT.ok;
}
