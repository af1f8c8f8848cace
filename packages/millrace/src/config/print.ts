import type { Config, SettingGroup } from "../config.ts";
import type { Setting } from "./setting.ts";

/** The effective settings, one `NAME=value` a line, without secrets. */
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
  return config.tables.flatMap(({ workload, settings }) => {
    const values = (workload === undefined ? config : config.ofWorkloads[workload]) as Record<string, unknown>;
    return Object.entries(settings)
      .filter(([property]) => !(property === "jobDbPath" && config.databaseUrl !== undefined))
      .map(([property, setting]) => ({
        name: setting.name,
        value: setting.show(values[property]),
        doc: setting.doc,
      }));
  });
}

/** `.env.example`: every setting with its meaning and default, as comments. Copied as it is, it changes nothing. */
export function envExample(groups: readonly SettingGroup[]): string {
  const parts = groups.map(({ workload, settings }) => {
    const head = workload === undefined ? "" : `# The workload ${workload}.\n\n`;
    return head + Object.values(settings).map(described).join("\n");
  });
  return `${HEAD}\n${parts.join("\n")}\n${POOLS}`;
}

function described(setting: Setting<unknown>): string {
  const { name, alias, doc, fallbackText } = setting;
  const comment = `# ${doc}${alias === undefined ? "" : ` Also ${alias}.`} Default: ${fallbackText}.`;
  return `${comment}\n#${name}=${setting.show(setting.fallback({ postgres: false, terminal: false, cores: 2 }))}\n`;
}

const HEAD = `# Copy this file to .env and uncomment the settings to change. Every line is commented out, so a plain copy changes nothing.
# Environment variables override .env.
# Written by \`node scripts/env-example.js\` from the tables of settings; a test keeps it true.
`;

const POOLS = `# The pool of one stage: number of processors, time limit of an attempt, and starts per period.
# If two kinds have a stage of the same name, write POOL_<KIND>_<STAGE>_…. Default: the options of the stage.
#POOL_RENDERING_SIZE=4
#POOL_RENDERING_TIMEOUT_MS=10000
#POOL_RENDERING_PACE=3/5s
`;
