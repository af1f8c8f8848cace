// 30 sites at once through three pools of 10, without a model: what each stage does, and how long a site waits before it.

import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { Millrace, sqlite } from "../../../packages/millrace/src/index.ts";
import { fetchPolicy } from "../../../packages/sites/src/fetch/policy.ts";
import { siteKind } from "../../../packages/sites/src/kind.ts";
import { SITE_DEFAULTS } from "../../../packages/sites/src/settings.ts";
import type { Who } from "../../contenders/open.ts";
import type { Measure } from "../../harness.ts";

const SITES = 30;
const PAGES = 5;
/** As long as a near server takes. */
const ANSWER_MS = 30;

export const sitePools: Measure = {
  name: "site-pools",
  title: "30 sites of 5 pages at once through three pools of 10",
  unit: "s",
  rounds: 1,
  cases: () => [{ who: "millrace full" as Who, setting: "30 sites", with: {} }],
  async run(_each, dir) {
    const servers = await Promise.all(Array.from({ length: SITES }, (_, i) => site(i)));
    const allow = servers.map(({ place }) => place);
    const kind = siteKind({ settings: { ...SITE_DEFAULTS, policy: fetchPolicy({ allow }), pageGapMs: 0 } });
    const engine = await Millrace.open({ store: sqlite(join(dir, "jobs.db")), kinds: [kind] });
    try {
      const startedAt = performance.now();
      const jobs = await Promise.all(allow.map((place) => engine.submit(kind, { url: `http://${place}/` })));
      await Promise.all(jobs.map((job) => job.wait({ timeoutMs: 120_000 })));
      const seconds = (performance.now() - startedAt) / 1_000;
      const waits = await waitsOf(
        engine,
        jobs.map(({ id }) => id),
      );
      return { s: seconds, ...waits };
    } finally {
      await engine.stop();
      for (const { close } of servers) close();
    }
  },
};

/** Mean time between the end of the stage before (or the submission) and the start of this one. */
async function waitsOf(engine: Millrace, ids: string[]): Promise<Record<string, number>> {
  const sums: Record<string, number> = {};
  for (const id of ids) {
    let before = Date.parse((await engine.find(id))?.createdAt ?? "");
    for (const { stage, startedAt, endedAt } of await engine.attempts(id)) {
      const name = `wait ${stage} ms`;
      sums[name] = (sums[name] ?? 0) + (Date.parse(startedAt) - before) / ids.length;
      before = Date.parse(endedAt ?? startedAt);
    }
  }
  return sums;
}

async function site(number: number): Promise<{ place: string; close: () => void }> {
  const page = (path: string) =>
    `<html lang="en"><head><title>Shop ${number} | Bikes ${path}</title></head><body><nav>${Array.from({ length: PAGES - 1 }, (_, i) => `<a href="/page-${i + 1}">Page ${i + 1}</a>`).join(" ")}</nav>
<h1>Cargo bikes for families ${path}</h1>${`<p>Shop ${number} sells electric cargo bikes for families on ${path} from £2,990. Cargo bike leasing costs £59 a month.</p>`.repeat(20)}</body></html>`;
  const server = createServer((request, response) => {
    setTimeout(() => {
      if (/^\/(?:page-\d+)?$/.test(request.url ?? ""))
        response.writeHead(200, { "content-type": "text/html" }).end(page(request.url ?? ""));
      else response.writeHead(404).end();
    }, ANSWER_MS);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return { place: `127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() };
}
