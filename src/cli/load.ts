import { type Config, loadConfig, readEnvironment } from "../config.ts";

/** The config, or all problems with it on standard error. */
export function loadConfigOrComplain(options: { readonly listens: boolean }): Config | undefined {
  const loaded = loadConfig(readEnvironment(), { ...options, terminal: process.stdout.isTTY });
  if (loaded.ok) {
    for (const warning of loaded.warnings) process.stderr.write(`millrace: ${warning}\n`);
    return loaded.config;
  }
  const list = loaded.problems.map((problem) => `  - ${problem}`).join("\n");
  process.stderr.write(`millrace: these settings need a change, in the environment or in .env:\n${list}\n`);
  return undefined;
}
