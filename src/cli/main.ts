import { parseArgs } from "node:util";
import { configCommand } from "./commands/config.ts";
import { serveCommand } from "./commands/serve.ts";
import { version } from "./version.ts";

/** Settles when the command is done, with the exit code. Wrong use is 2, as with settings. */
type Command = (args: readonly string[]) => Promise<number>;

const COMMANDS: Readonly<Record<string, { readonly run: Command; readonly doc: string }>> = {
  serve: { run: serveCommand, doc: "start the server" },
  config: { run: configCommand, doc: "print the effective settings, secrets masked" },
};

process.exit(await main(process.argv.slice(2)));

async function main(args: readonly string[]): Promise<number> {
  const [name, ...rest] = args;
  const command = COMMANDS[name ?? ""];
  if (command !== undefined) return refuseUnknown(rest) ?? command.run(rest);
  if (name === "--version" || name === "-v") return say(version());
  if (name === undefined || name === "help" || name === "--help" || name === "-h") return say(help());
  process.stderr.write(`millrace: there is no command "${name}". Try: millrace --help\n`);
  return 2;
}

// A flag that is ignored is worse than one that is refused.
function refuseUnknown(args: readonly string[]): number | undefined {
  try {
    const { values } = parseArgs({ args: [...args], options: { help: { type: "boolean", short: "h" } } });
    return values.help ? say(help()) : undefined;
  } catch (error) {
    process.stderr.write(`millrace: ${error instanceof Error ? error.message : error}\n`);
    return 2;
  }
}

function say(text: string): number {
  process.stdout.write(`${text}\n`);
  return 0;
}

function help(): string {
  const commands = Object.entries(COMMANDS).map(([name, { doc }]) => `  ${name.padEnd(10)}${doc}`);
  return `Millrace ${version()}: durable background work on one SQLite file, or on PostgreSQL.

Usage: millrace <command>

${commands.join("\n")}

  --help    this text
  --version the version

Settings come from the environment and from .env; .env.example describes all of them.
MILLRACE_RUNTIME=bun or node chooses the runtime.`;
}
