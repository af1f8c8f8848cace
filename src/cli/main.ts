import { commandHelp, parse, UsageError } from "./command.ts";
import { COMMANDS, type Entry } from "./commands.ts";
import { complain, EXIT } from "./exit.ts";
import { SettingsError } from "./load.ts";
import { say } from "./output/show.ts";
import { version } from "./version.ts";

// Whoever reads only the head of a list closes the pipe: that is no error.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(EXIT.ok);
  throw error;
});
const code = await main(process.argv.slice(2));
await new Promise<void>((resolve) => process.stdout.write("", () => resolve()));
process.exit(code);

async function main(argv: readonly string[]): Promise<number> {
  const [first, second] = argv;
  if (first === "--version" || first === "-v") return answer(version());
  if (first === undefined || first === "help" || first === "--help" || first === "-h") return answer(help(COMMANDS));
  const two = COMMANDS.find(({ name }) => name === `${first} ${second}`);
  if (two !== undefined) return run(two, argv.slice(2));
  const one = COMMANDS.find(({ name }) => name === first);
  if (one !== undefined) return run(one, argv.slice(1));
  const group = COMMANDS.filter(({ name }) => name.startsWith(`${first} `));
  if (group.length > 0 && (second === undefined || second === "--help" || second === "-h"))
    return answer(help(group, first));
  const wrong = group.length > 0 ? `${first} ${second}` : first;
  process.stderr.write(
    `millrace: there is no command "${wrong}". Try: millrace ${group.length > 0 ? `${first} ` : ""}--help\n`,
  );
  return EXIT.wrongUse;
}

async function run({ name, summary, load }: Entry, argv: readonly string[]): Promise<number> {
  try {
    const { command } = await load();
    const parsed = parse(command, argv);
    return "help" in parsed ? answer(commandHelp(name, summary, command)) : await command.run(parsed);
  } catch (error) {
    const json = argv.includes("--json");
    if (!(error instanceof UsageError)) return complain(error, json);
    const hint = error instanceof SettingsError ? undefined : `Try: millrace ${name} --help`;
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

function help(entries: readonly Entry[], group?: string): string {
  const width = Math.max(...entries.map(({ name }) => name.length));
  const commands = entries.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`);
  if (group !== undefined) {
    return `Usage: millrace ${group} <command> [flags]\n\n${commands.join("\n")}\n\n  --help after a command tells all about it.`;
  }
  return `Millrace ${version()}: durable background work on one SQLite file, or on PostgreSQL.

Usage: millrace <command> [flags]

${commands.join("\n")}

  --help     this text; after a command, all about it
  --version  the version

Settings come from the environment and from .env; .env.example describes all of them.
MILLRACE_RUNTIME=bun or node chooses the runtime.`;
}
