import { styleText } from "node:util";

/** A colour or weight on the terminal. */
export type Style = "dim" | "bold" | "red" | "green" | "yellow" | "cyan";

/** Text in a style. Colours appear only on a terminal, and not if `NO_COLOR` is set. */
export function paint(style: Style | undefined, text: string, stream: NodeJS.WriteStream = process.stdout): string {
  return style === undefined || text === "" ? text : styleText(style, text, { stream });
}

const STATES: Readonly<Record<string, Style>> = {
  completed: "green",
  ok: "green",
  running: "cyan",
  busy: "cyan",
  warn: "yellow",
  degraded: "yellow",
  cancelled: "dim",
  idle: "dim",
  failed: "red",
  error: "red",
  fail: "red",
};

/** The colour of a state, the same one everywhere. */
export function styleOf(state: string): Style | undefined {
  return STATES[state];
}
