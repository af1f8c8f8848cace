import { createInterface } from "node:readline";
import { Refusal } from "./refusal.js";

/**
 * Asks on the terminal. Undefined when there is no person to answer: no terminal, a CI machine, or --yes.
 * @param {{ yes: boolean }} options
 * @returns {{ ask(question: string): Promise<string>, close(): void } | undefined}
 */
export function openQuestions({ yes }) {
  if (yes || process.env.CI || !process.stdin.isTTY || !process.stdout.isTTY) return undefined;
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  // The iterator keeps lines that were typed before their question. It ends on Ctrl-C and Ctrl-D.
  const lines = terminal[Symbol.asyncIterator]();
  return {
    async ask(question) {
      terminal.setPrompt(question);
      terminal.prompt();
      const { value, done } = await lines.next();
      if (done) throw new Refusal("Cancelled. Nothing was written.", 130);
      return value;
    },
    close: () => terminal.close(),
  };
}
