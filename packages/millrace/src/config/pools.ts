import { integer, type PaceSetting, type Parser, pace, timerMs } from "./parsers.ts";

/** What the environment sets for the pool of one stage. It takes precedence over the code. */
export interface PoolOverride {
  /** The number of processors. Default: what the code says. */
  readonly size?: number;
  /** How long one attempt may take, in milliseconds. Default: what the code says. */
  readonly timeoutMs?: number;
  /** The most starts in a period. Default: what the code says. */
  readonly pace?: PaceSetting;
}

/** Overrides by the name in the environment: `WEBSITE_ANALYSIS`, or `SITE_WEBSITE_ANALYSIS` with the kind before it. */
export type PoolOverrides = Readonly<Record<string, PoolOverride>>;

export interface KindNames {
  readonly name: string;
  readonly stages: readonly string[];
}

const SUFFIXES: readonly {
  suffix: string;
  property: keyof PoolOverride;
  parse: Parser<number> | Parser<PaceSetting>;
}[] = [
  { suffix: "_SIZE", property: "size", parse: integer({ min: 1, max: 10_000 }) },
  { suffix: "_TIMEOUT_MS", property: "timeoutMs", parse: timerMs({ min: 1 }) },
  { suffix: "_PACE", property: "pace", parse: pace },
];

export interface ParsedPools {
  readonly pools: PoolOverrides;
  readonly problems: readonly string[];
}

export function parsePools(env: Readonly<Record<string, string | undefined>>): ParsedPools {
  const pools: Record<string, PoolOverride> = Object.create(null);
  const problems: string[] = [];
  for (const [name, text] of Object.entries(env)) {
    const found = poolVariable(name);
    if (found === undefined || text === undefined || text === "") continue;
    const parsed = found.parse(text);
    if ("value" in parsed) pools[found.pool] = { ...pools[found.pool], [found.property]: parsed.value };
    else problems.push(`${name} is "${text}". Allowed: ${parsed.allowed}.`);
  }
  for (const pool of Object.values(pools)) Object.freeze(pool);
  return { pools: Object.freeze(pools), problems };
}

/** The override of one stage. A variable that also names the kind wins over one that names the stage alone. */
export function poolOverride(pools: PoolOverrides, kind: string, stage: string): PoolOverride {
  return { ...pools[envName(stage)], ...pools[envName(`${kind}-${stage}`)] };
}

/**
 * Sentences about variables that name no stage, which would be ignored silently. Call this once the kinds are known.
 */
export function poolNameProblems(pools: PoolOverrides, kinds: readonly KindNames[]): string[] {
  const problems: string[] = [];
  for (const pool of Object.keys(pools)) {
    const owners = kinds.filter((kind) => kind.stages.some((stage) => envName(stage) === pool));
    const named = kinds.some((kind) => kind.stages.some((stage) => envName(`${kind.name}-${stage}`) === pool));
    if (owners.length > 1) {
      const choices = owners.map((kind) => `POOL_${envName(kind.name)}_${pool}_…`).join(" or ");
      problems.push(`POOL_${pool}_… matches stages of several kinds. Write ${choices}.`);
    } else if (owners.length === 0 && !named) {
      problems.push(`POOL_${pool}_… matches no stage. Known: ${knownPools(kinds).join(", ") || "none"}.`);
    }
  }
  return problems;
}

export function isPoolVariable(name: string): boolean {
  return poolVariable(name) !== undefined;
}

function poolVariable(name: string) {
  if (!name.startsWith("POOL_")) return undefined;
  const rest = name.slice("POOL_".length);
  const found = SUFFIXES.find(({ suffix }) => rest.endsWith(suffix) && rest.length > suffix.length);
  return found && { ...found, pool: rest.slice(0, -found.suffix.length) };
}

function knownPools(kinds: readonly KindNames[]): string[] {
  return [...new Set(kinds.flatMap((kind) => kind.stages.map((stage) => `POOL_${envName(stage)}_…`)))];
}

/** `website-analysis` and `websiteAnalysis` are both `WEBSITE_ANALYSIS`. */
function envName(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replace(/[^A-Za-z0-9]+/g, "_")
    .toUpperCase();
}
