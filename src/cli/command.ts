import { parseArgs } from "node:util";

export interface Flag {
  readonly type: "boolean" | "string";
  /** May be given several times. */
  readonly multiple?: true;
  readonly short?: string;
  /** What stands for the value in the help: `<url>`. */
  readonly value?: string;
  readonly doc: string;
}
export type Flags = Readonly<Record<string, Flag>>;

type ValueOf<F extends Flag> = F["type"] extends "boolean" ? boolean : F extends { multiple: true } ? string[] : string;
export type Values<F extends Flags> = { readonly [Name in keyof F]?: ValueOf<F[Name]> };

export interface Command<F extends Flags = Flags> {
  /** `<id>` must be given, `[id]` may be, `[id...]` takes all that is left. */
  readonly args?: readonly string[];
  readonly flags: F;
  /** More than the summary says, where it needs saying. */
  readonly about?: string;
  /** What follows `millrace` on a command line. */
  readonly examples: readonly string[];
  /** Settles when the command is done, with the exit code. */
  run(input: { readonly args: readonly string[]; readonly flags: Values<F> }): Promise<number>;
}

/** Only to have the flags' types follow from their description. */
export function defineCommand<const F extends Flags>(command: Command<F>): Command {
  return command as unknown as Command;
}

/** Wrong use of a command: exit code 2, and where to read on. */
export class UsageError extends Error {}

export type Parsed = { readonly help: true } | { readonly args: readonly string[]; readonly flags: Values<Flags> };

/** A flag that is ignored is worse than one that is refused, and so is an argument. */
export function parse(command: Command, argv: readonly string[]): Parsed {
  const { values, positionals } = parseOrComplain(command, argv);
  const { help, ...flags } = values as Record<string, never>;
  if (help) return { help: true };
  const names = command.args ?? [];
  const least = names.filter((name) => name.startsWith("<")).length;
  const most = names.some((name) => name.includes("...")) ? Number.POSITIVE_INFINITY : names.length;
  const missing = positionals.length < least ? names[positionals.length] : undefined;
  if (missing !== undefined) throw new UsageError(`${missing} is missing.`);
  if (positionals.length > most) throw new UsageError(`"${positionals[most]}" is one argument too many.`);
  return { args: positionals, flags };
}

function parseOrComplain({ flags }: Command, argv: readonly string[]) {
  try {
    return parseArgs({
      args: joinNumbers(flags, byOwnNames(flags, argv)),
      allowPositionals: true,
      options: {
        ...Object.fromEntries(
          Object.entries(flags).map(([name, { type, multiple, short }]) => [
            name,
            { type, ...(multiple && { multiple }), ...(short && { short }) },
          ]),
        ),
        help: { type: "boolean", short: "h" },
      },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? firstSentence(error.message) : String(error));
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

/** `--priority -3` is a number and no flag: the parser wants `--priority=-3`. */
function joinNumbers(flags: Flags, argv: readonly string[]): string[] {
  const joined: string[] = [];
  for (const text of argv) {
    const flag = flags[/^--(.+)$/.exec(joined.at(-1) ?? "")?.[1] ?? ""];
    if (flag?.type === "string" && /^-\d/.test(text)) joined.push(`${joined.pop()}=${text}`);
    else joined.push(text);
  }
  return joined;
}

// Node goes on to explain how to escape what it took for a flag.
function firstSentence(message: string): string {
  return message.split(/\n|\. (?=[A-Z])/)[0]?.replace(/\.?$/, ".") ?? message;
}

export function commandHelp(name: string, summary: string, command: Command): string {
  const { args = [], flags, about, examples } = command;
  const all: Flags = { ...flags, help: { type: "boolean", short: "h", doc: "this text" } };
  const rows = Object.entries(all).map(([flag, { value, doc, short, type }]) => {
    const shown = type === "string" ? ` ${value ?? "<text>"}` : "";
    return [`${short ? `-${short}, ` : "    "}--${flag}${shown}`, doc] as const;
  });
  const width = Math.max(...rows.map(([left]) => left.length));
  const sections = [
    `millrace ${name}: ${summary}.${about === undefined ? "" : `\n${about}`}`,
    `Usage: millrace ${[name, ...args].join(" ")} [flags]`,
    rows.map(([left, doc]) => `  ${left.padEnd(width)}  ${doc}`).join("\n"),
    `${examples.length > 1 ? "Examples" : "Example"}:\n${examples.map((line) => `  millrace ${line}`).join("\n")}`,
  ];
  return sections.join("\n\n");
}
