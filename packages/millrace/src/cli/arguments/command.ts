import { parseArgs } from "node:util";
import { didYouMean, flagMeant } from "./meant.ts";

/** A flag of a command. */
export interface Flag {
  /** Whether it takes a value. */
  readonly type: "boolean" | "string";
  /** Whether it may be given several times. Default: once. */
  readonly multiple?: true;
  /** A one-letter name. Default: none. */
  readonly short?: string;
  /** The placeholder for its value in the help, such as `<url>`. `<file>` completes file names. Default: `<text>`. */
  readonly value?: string;
  /** The values that shell completion offers. Default: none. */
  readonly choices?: readonly string[];
  /** Its purpose, for the help. */
  readonly doc: string;
}
/** The flags of a command, by name. */
export type Flags = Readonly<Record<string, Flag>>;

type ValueOf<F extends Flag> = F["type"] extends "boolean" ? boolean : F extends { multiple: true } ? string[] : string;
/** The values of a command's flags. */
export type Values<F extends Flags> = { readonly [Name in keyof F]?: ValueOf<F[Name]> };

/** A command of the CLI. */
export interface Command<F extends Flags = Flags> {
  /** Its arguments: `<id>` is required, `[id]` is optional, `[id...]` takes all that are left. Default: none. */
  readonly args?: readonly string[];
  /** Its flags. */
  readonly flags: F;
  /** Text for the help beyond the summary. Default: none. */
  readonly about?: string;
  /** Examples for the help: what follows `millrace` on the command line. */
  readonly examples: readonly string[];
  /** Runs the command and resolves with its exit code. */
  run(input: { readonly args: readonly string[]; readonly flags: Values<F> }): Promise<number>;
}

/** Defines a command. Its flags' types follow from their description. */
export function defineCommand<const F extends Flags>(command: Command<F>): Command {
  return command as unknown as Command;
}

/** Wrong use of a command: the CLI prints the message and exits with 2. */
export class UsageError extends Error {}

export type ParsedCommandLine =
  | { readonly help: true }
  | { readonly args: readonly string[]; readonly flags: Values<Flags> };

/** Refuses unknown flags and extra arguments: ignoring them would hide a mistake. */
export function parse(command: Command, argv: readonly string[]): ParsedCommandLine {
  const { values, positionals } = parseOrComplain(command, argv);
  const { help, ...flags } = values as Record<string, never>;
  if (help) return { help: true };
  const names = command.args ?? [];
  const least = names.filter((name) => name.startsWith("<")).length;
  const most = names.some((name) => name.includes("...")) ? Number.POSITIVE_INFINITY : names.length;
  const missing = positionals.length < least ? names[positionals.length] : undefined;
  if (missing !== undefined) throw new UsageError(`The argument ${missing} is missing.`);
  if (positionals.length > most) throw new UsageError(`Unexpected argument "${positionals[most]}".`);
  return { args: positionals, flags };
}

function parseOrComplain({ flags }: Command, argv: readonly string[]) {
  const all: Flags = { ...flags, help: HELP };
  const options = Object.entries(all).map(([name, { type, multiple, short }]) => [
    name,
    { type, ...(multiple && { multiple }), ...(short && { short }) },
  ]);
  // Lenient, so that the sentences about mistakes are ours and the same on every runtime.
  const parsed = parseArgs({
    args: joinNumbers(flags, byOwnNames(flags, argv)),
    allowPositionals: true,
    strict: false,
    tokens: true,
    options: Object.fromEntries(options),
  });
  for (const token of parsed.tokens) if (token.kind === "option") checkFlag(all, token);
  return parsed;
}

interface FlagToken {
  readonly name: string;
  readonly rawName: string;
  readonly value?: string | undefined;
  readonly inlineValue?: boolean | undefined;
}

function checkFlag(all: Flags, { name, rawName, value, inlineValue }: FlagToken): void {
  const flag = Object.hasOwn(all, name) ? all[name] : undefined;
  if (flag === undefined) {
    const meant = rawName.startsWith("--") ? flagMeant(name, Object.keys(all)) : undefined;
    throw new UsageError(`Unknown flag ${rawName}.${didYouMean(meant === undefined ? [] : [`--${meant}`])}`);
  }
  if (flag.type === "boolean" && value !== undefined) throw new UsageError(`--${name} takes no value.`);
  const isFlag = !inlineValue && value !== undefined && /^-./.test(value);
  if (flag.type === "string" && (value === undefined || isFlag)) {
    throw new UsageError(`--${name} needs a value: --${name} ${flag.value ?? "<text>"}.`);
  }
}

/** A server's address, by either name: commands that may need one call it `--url`, the one that may do without `--server`. */
function byOwnNames(flags: Flags, argv: readonly string[]): string[] {
  const [own, other] = "server" in flags ? ["server", "url"] : ["url", "server"];
  if (!(own in flags) || other in flags) return [...argv];
  const end = argv.indexOf("--");
  return argv.map((text, at) =>
    end >= 0 && at > end ? text : text.replace(new RegExp(`^--${other}(?=$|=)`), `--${own}`),
  );
}

/** `--priority -3` is a number, not a flag: the parser wants `--priority=-3`. */
function joinNumbers(flags: Flags, argv: readonly string[]): string[] {
  const joined: string[] = [];
  for (const text of argv) {
    const flag = flags[/^--(.+)$/.exec(joined.at(-1) ?? "")?.[1] ?? ""];
    if (flag?.type === "string" && /^-\d/.test(text)) joined.push(`${joined.pop()}=${text}`);
    else joined.push(text);
  }
  return joined;
}

const HELP_COLUMNS = 120;

const HELP: Flag = { type: "boolean", short: "h", doc: "show this help" };

export function commandHelp(name: string, summary: string, command: Command): string {
  const { args = [], flags, about, examples } = command;
  const all: Flags = { ...flags, help: HELP };
  const rows = Object.entries(all).map(([flag, { value, doc, short, type }]) => {
    const shown = type === "string" ? ` ${value ?? "<text>"}` : "";
    return [`${short ? `-${short}, ` : "    "}--${flag}${shown}`, doc] as const;
  });
  const width = Math.max(...rows.map(([left]) => left.length));
  const sections = [
    `millrace ${name}: ${summary}.${about === undefined ? "" : `\n${about}`}`,
    `Usage: millrace ${[name, ...args].join(" ")} [flags]`,
    rows.map(([left, doc]) => `  ${left.padEnd(width)}  ${wrapped(doc, width + 4)}`).join("\n"),
    `${examples.length > 1 ? "Examples" : "Example"}:\n${examples.map((line) => `  millrace ${line}`).join("\n")}`,
  ];
  return sections.join("\n\n");
}

/** Breaks a text at its spaces, so that it fits its column; further lines stand under the first one. */
function wrapped(text: string, indent: number): string {
  const lines = [""];
  for (const word of text.split(" ")) {
    const line = lines.at(-1) as string;
    if (line !== "" && indent + line.length + 1 + word.length > HELP_COLUMNS) lines.push(word);
    else lines[lines.length - 1] = line === "" ? word : `${line} ${word}`;
  }
  return lines.join(`\n${" ".repeat(indent)}`);
}
