// What each setting of the measure `diagram-service` does, and the figures it comes to.

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import autocannon from "autocannon";
import { ensureDashboard } from "../../scripts/dashboard.js";
import { type Figures, median, percentile } from "../harness.ts";
import { type Started, startByLauncher, startServer } from "../http/servers.ts";
import { bodyOf, childrenMb, completedBy, type Drawn, drawOverHttp, inTurn, JSON_HEADERS } from "./client.ts";
import { SUBJECTS, type Subject, timeOf } from "./sources.ts";
import { openWay, type Way } from "./ways.ts";

/** Few when it is to be quick: a call of mermaid-cli takes seconds, and so does the warm-up of D2. */
const QUICK_SUBJECTS = ["small flowchart", "sequence"];
const [FIRST] = SUBJECTS as [Subject, ...Subject[]];
/** Rounds from here on are warm-up, so that what is timed is new to the cache. */
const WARM_UP = 100_000;

export type Sizes = Record<string, number>;

function subjects(quick: number | undefined): readonly Subject[] {
  return quick ? SUBJECTS.filter(({ name }) => QUICK_SUBJECTS.includes(name)) : SUBJECTS;
}

/** Beside it the renderer itself, warm, in this process: what HTTP, job, file and the way to another process add. */
export function oneClient({ quick, rounds = 0, warm = 0 }: Sizes, dir: string): Promise<Figures> {
  return withServer(dir, async ({ url }) => {
    const direct = await openWay("millrace", dir);
    const fetched: number[] = [];
    const medians: { subject: Subject; ms: number; added: number }[] = [];
    // All before the first is timed: the subjects share most of the code that a compiler has to warm to.
    await repeated(warm, async (round) => {
      for (const subject of subjects(quick)) {
        await drawOverHttp(url, subject, WARM_UP + round);
        await direct.draw(subject, WARM_UP + round);
      }
    });
    for (const subject of subjects(quick)) {
      const drawn: Drawn[] = [];
      const here: number[] = [];
      // They take turns, so that a slow moment of a shared machine hits both.
      for (let round = 1; round <= rounds; round++) {
        drawn.push(await drawOverHttp(url, subject, round));
        here.push(await timed(() => direct.draw(subject, round)));
      }
      const times = drawn.map(({ fetchedMs }) => fetchedMs);
      fetched.push(...times);
      const added = median(drawn.map(({ answeredMs }) => answeredMs)) - median(here);
      medians.push({ subject, ms: median(times), added });
    }
    return {
      p50: median(medians.filter(({ subject }) => subject.format === "mermaid").map(({ ms }) => ms)),
      "p99 ms": percentile(fetched, 0.99),
      "renders/s": (fetched.length * 1_000) / fetched.reduce((sum, ms) => sum + ms, 0),
      "sync adds ms": median(medians.map(({ added }) => added)),
      "adds at most ms": Math.max(...medians.map(({ added }) => added)),
      ...Object.fromEntries(medians.map(({ subject, ms }) => [timeOf(subject), ms])),
    };
  });
}

export async function drawnBeside(way: Way, { quick, rounds = 0, warm = 0 }: Sizes, dir: string): Promise<Figures> {
  const { draw, close } = await openWay(way, dir);
  try {
    const medians: [string, number][] = [];
    for (const subject of subjects(quick).filter(({ format }) => format === "mermaid")) {
      await repeated(warm, (round) => draw(subject, WARM_UP + round));
      medians.push([timeOf(subject), median(await repeated(rounds, (round) => timed(() => draw(subject, round))))]);
    }
    return { p50: median(medians.map(([, ms]) => ms)), ...Object.fromEntries(medians) };
  } finally {
    await close();
  }
}

export function manyClients({ quick, clients = 0, warm = 0, seconds = 0 }: Sizes, dir: string): Promise<Figures> {
  return withServer(dir, async ({ url, pid }) => {
    const next = inTurn(subjects(quick));
    const during = async (length: number) => {
      const [times, startedAt] = [[] as number[], performance.now()];
      const client = async () => {
        while (performance.now() - startedAt < length * 1_000) {
          const { subject, round } = next();
          times.push((await drawOverHttp(url, subject, round)).fetchedMs);
        }
      };
      await Promise.all(Array.from({ length: clients }, client));
      return { times, rate: (times.length * 1_000) / (performance.now() - startedAt) };
    };
    // Every renderer loads D2 with the first such diagram it gets.
    await during(warm);
    const { times, rate } = await during(seconds);
    const children = childrenMb(pid);
    return {
      "renders/s": rate,
      "p50 ms": percentile(times, 0.5),
      "p99 ms": percentile(times, 0.99),
      children: children.length,
      "MB per child": median(children),
      "largest child MB": Math.max(...children),
    };
  });
}

export function cached(method: "POST" | "GET", { connections = 0, seconds = 0 }: Sizes, dir: string): Promise<Figures> {
  return withServer(dir, async ({ url }) => {
    const { address } = await drawOverHttp(url, FIRST, 1);
    const known =
      method === "GET"
        ? { url: address }
        : { url: `${url}/render?mode=sync`, method, headers: JSON_HEADERS, body: bodyOf(FIRST, 1) };
    return fired({ ...known, connections }, seconds, "hits/s");
  });
}

/** The renderers are at work all the time on what was submitted before. */
export function submitted({ quick, connections = 0, seconds = 0 }: Sizes, dir: string): Promise<Figures> {
  return withServer(dir, async ({ url }) => {
    for (const subject of subjects(quick)) await drawOverHttp(url, subject, WARM_UP);
    const next = inTurn(subjects(quick));
    const setupRequest = (request: autocannon.Request) => {
      const { subject, round } = next();
      return { ...request, body: bodyOf(subject, round) };
    };
    const before = await completedBy(url);
    const startedAt = performance.now();
    const requests = [{ method: "POST", path: "/render", headers: JSON_HEADERS, setupRequest } as const];
    const { "p99 ms": p99 = Number.NaN, ...besides } = await fired(
      { url, connections, requests },
      seconds,
      "submissions/s",
    );
    const rendered = (await completedBy(url)) - before;
    if (rendered === 0) throw new Error("nothing was rendered meanwhile");
    return { p99, ...besides, "renders/s": (rendered * 1_000) / (performance.now() - startedAt) };
  });
}

/** What `npm start` runs, with the dashboard built before: that is done once after a change, not at every start. */
export async function fromStart({ starts = 0 }: Sizes, dir: string): Promise<Figures> {
  const problem = ensureDashboard();
  if (problem !== undefined) throw new Error(problem);
  const times = await repeated(starts, async (round) => {
    const own = join(dir, String(round));
    mkdirSync(own);
    const startedAt = performance.now();
    const server = await startByLauncher(own);
    const listening = performance.now() - startedAt;
    try {
      await drawOverHttp(server.url, FIRST, round);
      return { listening, drawn: performance.now() - startedAt };
    } finally {
      await server.stop();
    }
  });
  return {
    s: median(times.map(({ drawn }) => drawn)) / 1_000,
    "listening s": median(times.map(({ listening }) => listening)) / 1_000,
  };
}

/** By autocannon in this process, after a second to get going. */
async function fired(options: autocannon.Options, seconds: number, rate: string): Promise<Figures> {
  await autocannon({ ...options, duration: 1 });
  const { latency, duration, errors, non2xx, ...result } = await autocannon({ ...options, duration: seconds });
  if (non2xx + errors > 0) throw new Error(`${non2xx} refused, ${errors} errors`);
  return { [rate]: result["2xx"] / duration, "p50 ms": latency.p50, "p99 ms": latency.p99 };
}

async function withServer(dir: string, work: (server: Started) => Promise<Figures>): Promise<Figures> {
  const server = await startServer("millrace warn", dir);
  try {
    return await work(server);
  } finally {
    await server.stop();
  }
}

/** One after the other. */
async function repeated<Each>(rounds: number, work: (round: number) => Promise<Each>): Promise<Each[]> {
  const results: Each[] = [];
  for (let round = 1; round <= rounds; round++) results.push(await work(round));
  return results;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}
