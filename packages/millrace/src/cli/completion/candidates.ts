// The candidates for the end of a command line, from the same tables that run the commands.

import type { Command, Flag } from "../arguments/command.ts";
import type { CommandEntry } from "../entry.ts";

export interface CompletionCandidate {
  readonly value: string;
  readonly about?: string;
}

export interface Candidates {
  readonly values: readonly CompletionCandidate[];
  /** Whether file names fit here too. */
  readonly files: boolean;
}

const NONE: Candidates = { values: [], files: false };

/** `words` follow `millrace`; the last one is being typed and may be empty. */
export async function candidates(words: readonly string[], known: readonly CommandEntry[]): Promise<Candidates> {
  const [first, ...rest] = words;
  if (first === "help" && rest.length > 0) return candidates(rest, known);
  const names = commandWords(words, known);
  const found = findCommand(words.slice(0, -1), known);
  if (found === undefined) return { values: names, files: false };
  const { command } = await found.entry.load();
  const own = forCommand(command, words.slice(found.length));
  // `deployments` is a command, and others start with it.
  return { ...own, values: [...(words.length === found.length + 1 ? names : []), ...own.values] };
}

/** The next word of each command that starts as the line does. */
function commandWords(words: readonly string[], known: readonly CommandEntry[]): CompletionCandidate[] {
  const at = words.length - 1;
  const typed = words[at] ?? "";
  const found = new Map<string, string>();
  for (const { name, summary } of known) {
    const parts = name.split(" ");
    const word = parts[at];
    if (word === undefined || !word.startsWith(typed) || words.slice(0, at).some((each, i) => each !== parts[i]))
      continue;
    if (parts.length === at + 1) found.set(word, summary);
    else if (!found.has(word)) found.set(word, `${word} commands`);
  }
  return [...found].map(([value, about]) => ({ value, about }));
}

function findCommand(words: readonly string[], known: readonly CommandEntry[]) {
  for (const length of [2, 1]) {
    const name = words.slice(0, length).join(" ");
    const entry = words.length >= length ? known.find((each) => each.name === name) : undefined;
    if (entry !== undefined) return { entry, length };
  }
  return undefined;
}

function forCommand({ flags, args = [] }: Command, words: readonly string[]): Candidates {
  const before = words.slice(0, -1);
  const typed = words.at(-1) ?? "";
  if (before.includes("--")) return argument(args, before.length - 1, typed);
  const inline = /^--([^=]+)=(.*)$/.exec(typed);
  if (inline) return withPrefix(`--${inline[1]}=`, valuesOf(flags[inline[1] ?? ""], inline[2] ?? ""));
  const valued = flagWithValue(flags, before.at(-1));
  if (valued !== undefined) return valuesOf(valued, typed);
  if (typed.startsWith("-")) return { values: unusedFlags(flags, before, typed), files: false };
  const isValue = (at: number) => flagWithValue(flags, before[at - 1]) !== undefined;
  return argument(args, before.filter((word, at) => !word.startsWith("-") && !isValue(at)).length, typed);
}

function flagWithValue(flags: Command["flags"], word: string | undefined): Flag | undefined {
  const flag = word?.startsWith("--") ? flags[word.slice(2)] : undefined;
  return flag?.type === "string" ? flag : undefined;
}

function unusedFlags(flags: Command["flags"], before: readonly string[], typed: string): CompletionCandidate[] {
  const all: Command["flags"] = { ...flags, help: { type: "boolean", doc: "show the help" } };
  return Object.entries(all).flatMap(([name, { doc, multiple }]) => {
    const word = `--${name}`;
    const isUsed = before.some((each) => each === word || each.startsWith(`${word}=`));
    return word.startsWith(typed) && (multiple || !isUsed) ? [{ value: word, about: doc }] : [];
  });
}

function valuesOf(flag: Flag | undefined, typed: string): Candidates {
  if (flag === undefined) return NONE;
  const choices = (flag.choices ?? []).filter((choice) => choice.startsWith(typed));
  return { values: choices.map((value) => ({ value })), files: takesFile(flag.value) };
}

/** `<bash|zsh>` names its own values. */
function argument(args: readonly string[], at: number, typed: string): Candidates {
  const name = args[at] ?? args.findLast((each) => each.includes("...")) ?? "";
  const words = /^<[a-z]+(\|[a-z]+)+>$/.test(name) ? name.slice(1, -1).split("|") : [];
  const values = words.filter((word) => word.startsWith(typed)).map((value) => ({ value }));
  return { values, files: takesFile(name) };
}

function takesFile(name: string | undefined): boolean {
  return name !== undefined && /\b(file|module)\b/.test(name);
}

function withPrefix(prefix: string, { values, files }: Candidates): Candidates {
  return { values: values.map(({ value }) => ({ value: prefix + value })), files };
}
