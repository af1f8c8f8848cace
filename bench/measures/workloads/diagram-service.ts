// The diagram service as its users meet it: over HTTP, by a server in a process of its own on a new file. Every source is new
// to the cache, except where the cache is what is measured. The browsers draw the same Mermaid sources, in the same run.

import { rendererEnv } from "../../../packages/diagrams/src/renderer-limits.ts";
import type { Who } from "../../contenders/open.ts";
import {
  cached,
  drawnBeside,
  fromStart,
  manyClients,
  oneClient,
  type Sizes,
  submitted,
} from "../../diagrams/service-runs.ts";
import type { Way } from "../../diagrams/ways.ts";
import type { Case, Figures, Measure } from "../../harness.ts";

/** These are servers and ways to draw, not queues that `open` knows. */
const as = (who: Way) => who as string as Who;

interface Setting {
  readonly setting: string;
  readonly unit?: string;
  readonly env?: Readonly<Record<string, string>>;
  sizes(quick: boolean): Sizes;
  run(sizes: Sizes, dir: string): Promise<Figures>;
}

const ALONE: Setting = {
  setting: "sync, 1 client",
  sizes: (quick) => ({ rounds: quick ? 15 : 40, warm: quick ? 20 : 25 }),
  run: oneClient,
  // What stands beside it runs in the bench's own process, and shall be compiled as in the service.
  env: rendererEnv(undefined),
};

const SETTINGS: readonly Setting[] = [
  ALONE,
  {
    setting: "sync, 16 clients",
    unit: "renders/s",
    sizes: (quick) => ({ clients: 16, warm: quick ? 1 : 4, seconds: quick ? 2 : 6 }),
    run: manyClients,
  },
  {
    setting: "in the cache, sync POST, 16 connections",
    unit: "hits/s",
    sizes: (quick) => ({ connections: 16, seconds: quick ? 1 : 3 }),
    run: (sizes, dir) => cached("POST", sizes, dir),
  },
  {
    setting: "in the cache, GET /d/, 16 connections",
    unit: "hits/s",
    sizes: (quick) => ({ connections: 16, seconds: quick ? 1 : 3 }),
    run: (sizes, dir) => cached("GET", sizes, dir),
  },
  {
    setting: "async, 64 connections",
    sizes: (quick) => ({ connections: 64, seconds: quick ? 1 : 5 }),
    run: submitted,
  },
  {
    setting: "start to first diagram",
    unit: "s",
    sizes: (quick) => ({ starts: quick ? 1 : 3 }),
    run: fromStart,
  },
];

const BESIDE: readonly Way[] = ["warm page", "fresh page", "mermaid-cli"];

export const diagramService: Measure = {
  name: "diagram-service",
  title: "Diagrams over HTTP with the SVG in hand, each from a source of its own; the browsers draw the Mermaid ones",
  unit: "ms",
  rounds: 1,
  cases: ({ quick }) => {
    const [alone, ...others] = SETTINGS.map(
      ({ setting, unit, env, sizes }): Case => ({
        who: as("millrace"),
        setting,
        ...(unit !== undefined && { unit }),
        ...(env !== undefined && { env }),
        with: { quick: Number(quick), ...sizes(quick) },
      }),
    ) as [Case, ...Case[]];
    const beside = BESIDE.map((way): Case => {
      const isWarm = way === "warm page";
      const rounds = isWarm ? (quick ? 10 : 20) : quick ? 1 : way === "mermaid-cli" ? 2 : 4;
      return {
        who: as(way),
        setting: "one after the other",
        against: { who: as("millrace"), setting: ALONE.setting },
        with: { quick: Number(quick), rounds, warm: isWarm ? 10 : 0 },
      };
    });
    return [alone, ...beside, ...others];
  },
  run(each, dir) {
    const way = each.who as string as Way;
    if (way !== "millrace") return drawnBeside(way, each.with, dir);
    const found = SETTINGS.find(({ setting }) => setting === each.setting);
    if (found === undefined) throw new Error(`no setting is called ${each.setting}`);
    return found.run(each.with, dir);
  },
};
