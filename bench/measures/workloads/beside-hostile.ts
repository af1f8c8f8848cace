// Diagrams as people draw them, alone and beside diagrams without end: as many of those as there are renderers, all the time.

import { availableParallelism } from "node:os";
import type { Who } from "../../contenders/open.ts";
import { type Measure, median } from "../../harness.ts";
import { startServer } from "../../http/servers.ts";

/** The promise: none takes longer than twice its quiet time and a second more. */
const allowedMs = (quietMs: number) => 2 * quietMs + 1_000;

const EVERYDAY: readonly ((label: string) => object)[] = [
  (label) => ({ format: "mermaid", source: `flowchart LR\n  ${label} --> pay --> ship` }),
  (label) => ({ format: "mermaid", source: `sequenceDiagram\n  ${label}->>Bob: Hello\n  Bob-->>${label}: Hi` }),
  (label) => ({ format: "mermaid", source: `classDiagram\n  Animal <|-- ${label}`, outputType: "png" }),
  (label) => ({ format: "d2", source: `${label} -> payment: pays` }),
  (label) => ({ format: "graphviz", source: `digraph { ${label} -> payment }` }),
];

const D2 = 3;
/** Until the spare renderers have started and have loaded what is drawn: 5 s after the server the second of them begins. */
const STANDING_BY_MS = 15_000;

export const besideHostile: Measure = {
  name: "beside-hostile",
  title: "Diagrams over HTTP, sync, beside as many endless ones as there are renderers",
  unit: "of what is allowed",
  rounds: 1,
  // The endless ones end after 10 s each, and the next come: two such changes are seen.
  cases: ({ quick }) => [
    { who: "millrace full" as Who, setting: "everyday diagrams", with: { times: quick ? 3 : 80 } },
  ],
  async run(each, dir) {
    const { times = 3 } = each.with;
    const server = await startServer("millrace warn", dir);
    const post = async (path: string, body: object) => {
      const headers = { "content-type": "application/json" };
      const response = await fetch(server.url + path, { method: "POST", headers, body: JSON.stringify(body) });
      if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
      return (await response.json()) as { jobId: string };
    };
    const measured = async (label: string) => {
      const taken: number[] = [];
      for (const diagram of EVERYDAY) {
        const start = performance.now();
        await post("/render?mode=sync", diagram(label));
        taken.push(performance.now() - start);
      }
      return taken;
    };
    const repeated = async (label: string) => {
      const rounds: number[][] = [];
      for (let i = 0; i < times; i++) rounds.push(await measured(`${label}${i}`));
      return EVERYDAY.map((_, kind) => rounds.map((round) => round[kind] ?? Number.NaN));
    };
    let going = true;
    /** The next is submitted when the last met its deadline. */
    const hostile = async (seed: number) => {
      for (let i = 0; going; i++) {
        const { jobId } = await post("/render", { format: "mermaid", source: endless(seed + i * 1_000) });
        while (going && !(await isOver(`${server.url}/jobs/${jobId}?wait=5`)));
      }
    };
    try {
      const startedAt = performance.now();
      for (let i = 0; performance.now() - startedAt < STANDING_BY_MS; i++) await measured(`warm${i}`);
      const quiet = (await repeated("quiet")).map(median);
      const busy = Array.from({ length: availableParallelism() }, (_, seed) => hostile(seed + 1));
      const beside = await repeated("beside");
      going = false;
      const shares = beside.map((taken, kind) => Math.max(...taken) / allowedMs(quiet[kind] ?? Number.NaN));
      await Promise.allSettled(busy);
      return {
        "of what is allowed": Math.max(...shares),
        "quiet ms": median(quiet),
        "beside ms": median(beside.map(median)),
        // A renderer that stands in for one with an endless diagram may have D2 still to load.
        "longest D2 ms": Math.max(...(beside[D2] ?? [])),
        "longest other ms": Math.max(...beside.filter((_, kind) => kind !== D2).flat()),
      };
    } finally {
      going = false;
      await server.stop();
    }
  },
};

async function isOver(url: string): Promise<boolean> {
  const { state } = (await (await fetch(url)).json()) as { state: string };
  return state !== "pending" && state !== "running";
}

/** 499 edges at random between 200 nodes: inside Mermaid's limits, and half a minute for its layout. */
function endless(seed: number): string {
  let state = seed;
  const next = () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state % 200;
  };
  return `flowchart TD\n${Array.from({ length: 499 }, () => `  n${next()} --> n${next()}`).join("\n")}`;
}
