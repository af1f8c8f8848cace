import type { Config } from "../config.ts";
import type { Setting } from "./setting.ts";
import { SETTINGS } from "./settings.ts";

/** The effective settings, one `NAME=value` a line, with nothing in it that opens a door. */
export function printConfig(config: Config): string {
  const lines = shownSettings(config).map(({ name, value }) => `${name}=${value}`);
  for (const [pool, { size, timeoutMs, pace }] of Object.entries(config.pools)) {
    if (size !== undefined) lines.push(`POOL_${pool}_SIZE=${size}`);
    if (timeoutMs !== undefined) lines.push(`POOL_${pool}_TIMEOUT_MS=${timeoutMs}`);
    if (pace !== undefined) lines.push(`POOL_${pool}_PACE=${pace.count}/${pace.perMs}ms`);
  }
  return `${lines.join("\n")}\n`;
}

/** Each setting in effect with its meaning; secrets are masked. */
export function shownSettings(config: Config): { name: string; value: string; doc: string }[] {
  return Object.entries(SETTINGS)
    .filter(([property]) => !(property === "jobDbPath" && config.databaseUrl !== undefined))
    .map(([property, setting]: [string, Setting<unknown>]) => {
      const { name, doc } = setting;
      return { name, value: setting.show(config[property as keyof Config]), doc };
    });
}

/** `.env.example`: every setting with its meaning and default, as comments. Copied as it is, it changes nothing. */
export function envExample(): string {
  const entries = Object.values(SETTINGS).map((setting: Setting<unknown>) => {
    const { name, alias, doc, fallbackText } = setting;
    const comment = `# ${doc}${alias === undefined ? "" : ` Also ${alias}.`} Default: ${fallbackText}.`;
    const usual = setting.show(setting.fallback({ postgres: false, terminal: false, cores: 2 }));
    return `${comment}\n#${name}=${usual}\n`;
  });
  return `${HEAD}\n${entries.join("\n")}\n${POOLS}`;
}

const HEAD = `# Copy to .env and uncomment what you want to change. Copied as it is, it changes nothing.
# What the environment sets wins over this file.
# Written by \`node scripts/env-example.js\` from src/config/settings.ts; a test keeps it true.
`;

const POOLS = `# The pool of one stage: processors, time per attempt, and at most 3 starts in any 5 seconds.
# Write POOL_<KIND>_<STAGE>_… where two kinds have a stage of the same name. Default: what the code says.
#POOL_RENDERING_SIZE=4
#POOL_RENDERING_TIMEOUT_MS=10000
#POOL_RENDERING_PACE=3/5s
`;
