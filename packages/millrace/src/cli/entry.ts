import type { Command } from "./arguments/command.ts";

/** A command of the CLI, as a workload lists it. */
export interface CommandEntry {
  /** The name, such as `jobs list`. */
  readonly name: string;
  /** One line for the list of commands. */
  readonly summary: string;
  /** Loads the command when it is called, so that the CLI starts fast. */
  readonly load: () => Promise<{ readonly command: Command }>;
}
