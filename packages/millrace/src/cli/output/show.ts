import { MillraceError } from "../../client/index.ts";
import { pause } from "../pause.ts";
import { oneLine } from "./format.ts";
import { paint } from "./paint.ts";

const EVERY_MS = 1_000;

/** The flags that say how data is shown. */
export interface ShowFlags {
  /** Print the API's own answer, for programs. Default: text for people. */
  readonly json?: boolean;
  /** Repeat every second until Ctrl-C. Default: once. */
  readonly watch?: boolean;
}

/** Loads data and prints it: once, or repeatedly with `--watch`; as JSON with `--json`, else drawn for people. */
export async function show<T>(
  flags: ShowFlags,
  load: () => Promise<T>,
  draw: (data: T, now: number) => string,
): Promise<number> {
  if (flags.watch) return watch(flags, load, draw);
  const data = await load();
  say(flags.json ? JSON.stringify(data, null, 2) : draw(data, Date.now()));
  return 0;
}

/** Repeats until Ctrl-C. If the server is unavailable for a while, it keeps trying. */
async function watch<T>(
  { json }: ShowFlags,
  load: () => Promise<T>,
  draw: (data: T, now: number) => string,
): Promise<never> {
  let last = "";
  for (;;) {
    const { state, shown } = await load().then(
      (data) => drawn(data, json, draw),
      (error) => unlessAway(error, json),
    );
    if (process.stdout.isTTY && !json) redraw(shown);
    // In a pipe every state once, though its age grows: a line each with --json.
    else if (state !== last && shown !== "") say(shown);
    last = state;
    await pause(EVERY_MS);
  }
}

interface ShownJob {
  readonly state: string;
  readonly shown: string;
}

function drawn<T>(data: T, json: boolean | undefined, draw: (data: T, now: number) => string): ShownJob {
  const state = JSON.stringify(data);
  return { state, shown: json ? state : draw(data, Date.now()) };
}

function unlessAway(error: unknown, json: boolean | undefined): ShownJob {
  if (!(error instanceof MillraceError) || (error.status !== 0 && error.status !== 503)) throw error;
  const shown = json ? "" : paint("yellow", `${error.message} Trying again …`);
  return { state: shown, shown };
}

const HOME = "\u001b[H";
const CLEAR_LINE = "\u001b[K";
const CLEAR_BELOW = "\u001b[J";

// Draws line by line over the previous text, so that nothing flickers.
function redraw(text: string): void {
  const lines = text.split("\n").slice(0, (process.stdout.rows ?? 25) - 1);
  process.stdout.write(`${HOME}${lines.map((line) => `${line}${CLEAR_LINE}\n`).join("")}${CLEAR_BELOW}`);
}

export function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** Prints the result: a sentence, or with `--json` the answer itself. Returns the exit code 0. */
export function tell(flags: ShowFlags, answer: unknown, sentence: string): number {
  say(flags.json ? JSON.stringify(answer, null, 2) : sentence);
  return 0;
}

/** Prints a line on the terminal that the next one overwrites. It prints nothing elsewhere. */
export function status(text: string): void {
  if (!process.stderr.isTTY) return;
  const width = process.stderr.columns ?? 80;
  process.stderr.write(`\r${CLEAR_LINE}${oneLine(text).slice(0, width - 1)}`);
}

export function endStatus(): void {
  if (process.stderr.isTTY) process.stderr.write(`\r${CLEAR_LINE}`);
}
