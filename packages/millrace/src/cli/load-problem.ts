import { messageOf } from "../lib/app-error.ts";
import { isInstalled } from "./dev/installed.ts";

/** A message of Bun about a file that does not parse. */
interface BuildMessage {
  readonly message: string;
  readonly position: {
    readonly file: string;
    readonly line: number;
    readonly column: number;
    readonly lineText: string;
  };
}

/** Why a module does not load, and the place in the user's code. */
export function loadProblem(error: unknown): string {
  const parts = error instanceof AggregateError ? error.errors : [error];
  return parts.map(oneProblem).join("\n");
}

function oneProblem(error: unknown): string {
  if (isBuildMessage(error)) {
    const { file, line, column, lineText } = error.position;
    return `${error.message}\n    at ${file}:${line}:${column}\n    ${lineText.trim()}`;
  }
  const where = error instanceof Error ? lineOfError(error) : undefined;
  return where === undefined ? messageOf(error) : `${messageOf(error)}\n${where}`;
}

/** Node puts the place of a syntax error above its name; an error that was thrown has it in the first line of its own. */
function lineOfError({ stack = "" }: Error): string | undefined {
  const [head = "", ...rest] = stack.split("\n");
  if (/^(file:)?\/.*:\d+$/.test(head)) {
    const end = rest.findIndex((line) => /^\w*Error\b/.test(line));
    return [`    at ${head}`, ...rest.slice(0, Math.max(0, end)).map((line) => `    ${line}`)].join("\n").trimEnd();
  }
  return rest.find((line) => /^\s+at /.test(line) && !/node:|native:/.test(line) && !isInstalled(line));
}

function isBuildMessage(error: unknown): error is BuildMessage {
  if (typeof error !== "object" || error === null || !("position" in error)) return false;
  const { position } = error;
  return typeof position === "object" && position !== null && "lineText" in position;
}
