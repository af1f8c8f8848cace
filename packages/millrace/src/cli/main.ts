import { VERSION } from "../lib/runtime/version.ts";
import { commandHelp, parse, UsageError } from "./arguments/command.ts";
import { complain, EXIT } from "./arguments/exit.ts";
import { commandsMeant, didYouMean } from "./arguments/meant.ts";
import { COMMANDS } from "./commands.ts";
import { complete } from "./completion/complete.ts";
import type { CommandEntry } from "./entry.ts";
import { SettingsError } from "./load.ts";
import { say } from "./output/show.ts";
import { workloadsWithCommands } from "./workloads.ts";

// A reader such as `head` closes the pipe early. That is not an error.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(EXIT.ok);
  throw error;
});
const code = await main(process.argv.slice(2));
await new Promise<void>((resolve) => process.stdout.write("", () => resolve()));
process.exit(code);

async function main(argv: readonly string[]): Promise<number> {
  const [first, ...rest] = argv;
  if (first === "--version" || first === "-v") return answer(VERSION);
  if (first === "__complete") return completed(rest);
  const asksForHelp = first === undefined || first === "help" || first === "--help" || first === "-h";
  if (!asksForHelp) return runNamed(argv);
  return rest.length === 0 ? answer(help(await allCommands())) : runNamed([...rest, "--help"]);
}

async function runNamed(argv: readonly string[]): Promise<number> {
  const [first = "", second] = argv;
  const known = isOurs(first) ? COMMANDS : await allCommands();
  const two = known.find(({ name }) => name === `${first} ${second}`);
  if (two !== undefined) return run(two, argv.slice(2));
  const one = known.find(({ name }) => name === first);
  if (one !== undefined) return run(one, argv.slice(1));
  const group = known.filter(({ name }) => name.startsWith(`${first} `));
  if (group.length > 0 && (second === undefined || second === "--help" || second === "-h"))
    return answer(help(group, first));
  const typed = second === undefined || second.startsWith("-") ? first : `${first} ${second}`;
  return unknownCommand(group.length > 0 ? typed : first, typed, known);
}

function unknownCommand(wrong: string, typed: string, known: readonly CommandEntry[]): number {
  const names = known.map(({ name }) => name);
  const meant = commandsMeant(typed, names);
  const suggested = didYouMean(meant.length > 0 ? meant : commandsMeant(wrong, names));
  const group = wrong.includes(" ") ? `${wrong.split(" ")[0]} ` : "";
  process.stderr.write(`millrace: Unknown command "${wrong}".${suggested} See: millrace ${group}--help\n`);
  return EXIT.wrongUse;
}

/** Completion says nothing when it fails: its output would end up in the middle of a command line. */
async function completed(words: readonly string[]): Promise<number> {
  const [, first = ""] = words;
  const known = async () => (words.length > 2 && isOurs(first) ? COMMANDS : allCommands().catch(() => COMMANDS));
  await complete(words, known).catch(() => {});
  return EXIT.ok;
}

function isOurs(first: string): boolean {
  return COMMANDS.some(({ name }) => name === first || name.startsWith(`${first} `));
}

/**
 * All commands, with those of workloads. Loading them takes time, so the engine's own commands do without.
 */
async function allCommands(): Promise<readonly CommandEntry[]> {
  const workloads = await workloadsWithCommands();
  return [...COMMANDS, ...workloads.flatMap(({ commands = [] }) => commands)];
}

async function run({ name, summary, load }: CommandEntry, argv: readonly string[]): Promise<number> {
  try {
    const { command } = await load();
    const parsed = parse(command, argv);
    return "help" in parsed ? answer(commandHelp(name, summary, command)) : await command.run(parsed);
  } catch (error) {
    const json = argv.includes("--json");
    if (!(error instanceof UsageError)) return complain(error, json);
    const hint = error instanceof SettingsError ? undefined : `See: millrace ${name} --help`;
    const text = json
      ? JSON.stringify({ error: error.message, code: "wrong-use", hint })
      : `millrace: ${[error.message, hint].filter(Boolean).join(" ")}`;
    process.stderr.write(`${text}\n`);
    return EXIT.wrongUse;
  }
}

function answer(text: string): number {
  say(text);
  return EXIT.ok;
}

function help(entries: readonly CommandEntry[], group?: string): string {
  const width = Math.max(...entries.map(({ name }) => name.length));
  const commands = entries.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`);
  if (group !== undefined) {
    return `Usage: millrace ${group} <command> [flags]\n\n${commands.join("\n")}\n\nDetails of a command: millrace ${group} <command> --help`;
  }
  return `Millrace ${VERSION}: durable background work on one SQLite file, or on PostgreSQL.

Usage: millrace <command> [flags]

${commands.join("\n")}

  --help     show this help; after a command, the help of that command
  --version  show the version

Settings come from the environment and from .env: millrace config prints them.
MILLRACE_RUNTIME=bun or MILLRACE_RUNTIME=node chooses the runtime.`;
}
