// Draws what a command line asks for, and says how it went.

import { readFileSync, writeFileSync } from "node:fs";
import { text } from "node:stream/consumers";
import { EXIT, messageOf, oneLine, ProgressBar, paint, plural } from "millrace/cli";
import type { ToldFault } from "../engine.ts";
import type { Draw } from "./draw.ts";
import { faultInFile, type MarkdownFile, writeMarkdown } from "./markdown.ts";
import type { Task } from "./task.ts";

export interface Work {
  readonly tasks: readonly Task[];
  readonly documents: readonly MarkdownFile[];
}

/** The exit code. */
export async function drawAll({ tasks, documents }: Work, draw: Draw, atOnce: number): Promise<number> {
  const progress = new ProgressBar(tasks.length, process.stderr);
  const waiting = [...tasks];
  const done = new Set<Task>();
  let failed = 0;
  const work = async () => {
    for (let task = waiting.shift(); task; task = waiting.shift()) {
      const { file, output = file } = task;
      const text = documents.find((each) => each.tasks.includes(task as Task))?.text;
      const problem = await drawOne(task, { draw, text }, progress);
      if (problem === undefined) done.add(task);
      else {
        failed++;
        progress.say(`millrace: ${problem}`);
      }
      progress.step(output);
      // In a pipe or a log every file has its line.
      if (problem === undefined && task.output !== undefined && !progress.isShown)
        progress.say(`${paint("dim", progress.done, process.stderr)} ${output}`);
    }
  };
  try {
    await Promise.all(Array.from({ length: Math.min(atOnce, tasks.length) }, work));
  } finally {
    progress.end();
  }
  for (const document of documents) {
    writeMarkdown(document, done);
    process.stderr.write(`${document.file} was written to ${document.output}.\n`);
  }
  const drawn = plural(tasks.length - failed, "diagram");
  if (tasks.length > 1) process.stderr.write(`${drawn} drawn${failed > 0 ? `, ${failed} failed` : ""}.\n`);
  return failed > 0 ? EXIT.failed : EXIT.ok;
}

/** What is wrong with the file or its diagram; undefined when it is drawn and written. */
async function drawOne(
  task: Task,
  { draw, text: markdown }: { readonly draw: Draw; readonly text: string | undefined },
  progress: ProgressBar,
): Promise<string | undefined> {
  const { file, output, block } = task;
  let source: string;
  try {
    source = block?.source ?? (file === "-" ? await text(process.stdin) : readFileSync(file, "utf8"));
  } catch (error) {
    return `${file}: ${unreadable(file, error)}`;
  }
  const drawn = await draw(task, source);
  if ("fault" in drawn) {
    const isInFile = block !== undefined && markdown !== undefined;
    return faultText(file, isInFile ? faultInFile(drawn.fault, block, markdown) : drawn.fault);
  }
  for (const warning of drawn.warnings) progress.say(`millrace: ${file}: ${warning}`);
  try {
    if (output === undefined) process.stdout.write(drawn.bytes);
    else writeFileSync(output, drawn.bytes);
  } catch (error) {
    return `${output}: ${messageOf(error)}`;
  }
  return undefined;
}

/** A pattern that no shell expanded matches nothing; the system only says that such a file does not exist. */
function unreadable(file: string, error: unknown): string {
  const isMissing = error instanceof Error && "code" in error && error.code === "ENOENT";
  if (!isMissing) return messageOf(error);
  return /[*?[]/.test(file) ? "No file matches this pattern." : "No such file.";
}

/** As compilers say it, so that editors find the place: the sentence first, then the line with a caret, then the advice. */
function faultText(file: string, { message, line, column, excerpt, advice }: ToldFault): string {
  const place = [file, line, column].filter((part) => part !== undefined).join(":");
  const quoted = excerpt === undefined ? [] : excerpt.split("\n").map((each) => `  ${each}`);
  const taught = advice === undefined ? [] : [`  ${advice}`];
  return [`${place}: ${oneLine(message)}`, ...quoted, ...taught].join("\n");
}
