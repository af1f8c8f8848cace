import { type Config, loadConfig, readEnvironment } from "../config.ts";
import { UsageError } from "./command.ts";

/** The config; an error with all problems of it. */
export function loadConfigOrComplain(options: { readonly listens: boolean }): Config {
  const loaded = loadConfig(readEnvironment(), { ...options, terminal: process.stdout.isTTY });
  if (!loaded.ok) throw new SettingsError(loaded.problems);
  for (const warning of loaded.warnings) process.stderr.write(`millrace: ${warning}\n`);
  return loaded.config;
}

/** Exit code 2 as well, though not the command line is at fault. */
export class SettingsError extends UsageError {
  constructor(problems: readonly string[]) {
    const list = problems.map((problem) => `  - ${problem}`).join("\n");
    super(`these settings need a change, in the environment or in .env:\n${list}`);
  }
}
