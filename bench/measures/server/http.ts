// POST of one job, answered when it is on disk, by autocannon in this process on a server in another.

import autocannon from "autocannon";
import type { Who } from "../../contenders/open.ts";
import type { Case, Measure } from "../../harness.ts";
import { type HttpWho, startServer } from "../../http/servers.ts";

const CONNECTIONS = [1, 16, 64];
const BARE: HttpWho = "bare Hono route";
const EVERYWHERE: HttpWho[] = [BARE, "millrace warn", "millrace info"];
/** It runs on Bun alone. */
const ON_BUN: HttpWho[] = ["bunqueue", "bunqueue durable"];

/** These are servers, not queues that `open` knows. */
const as = (who: HttpWho) => who as string as Who;

export const http: Measure = {
  name: "http",
  title: "POST of one job over HTTP, answered when it is on disk",
  unit: "requests/s",
  cases: ({ quick }) =>
    [...EVERYWHERE, ...(process.versions["bun"] ? ON_BUN : [])].flatMap((who) =>
      CONNECTIONS.map((connections): Case => {
        const setting = connections === 1 ? "1 connection" : `${connections} connections`;
        return {
          who: as(who),
          setting,
          ...(who !== BARE && { against: { who: as(BARE), setting } }),
          with: { connections, seconds: quick ? 2 : 6 },
        };
      }),
    ),
  async run(each, dir) {
    const { connections, seconds } = each.with as { connections: number; seconds: number };
    const server = await startServer(each.who as string as HttpWho, dir);
    try {
      const fire = (duration: number) =>
        autocannon({
          url: server.url + server.path,
          connections,
          duration,
          method: "POST",
          headers: { "content-type": "application/json" },
          body: server.body,
        });
      await fire(1);
      const result = await fire(seconds);
      if (result.non2xx + result.errors > 0) throw new Error(`${result.non2xx} refused, ${result.errors} errors`);
      return {
        "requests/s": result["2xx"] / result.duration,
        "p50 ms": result.latency.p50,
        "p99 ms": result.latency.p99,
      };
    } finally {
      await server.stop();
    }
  },
};
