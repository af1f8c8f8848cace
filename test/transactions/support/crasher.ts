// A process whose transactions stop at a statement each. When all of them are there, it kills itself. So one process is killed at many
// statements at once, each on a connection of its own.

import { Millrace, postgres } from "millrace";
import pg from "pg";
import { KINDS, transact } from "./crash-work.ts";
import type { Stop } from "./stop.ts";

const [, , url = "", plan = "[]"] = process.argv;
const stops = JSON.parse(plan) as Stop[];
const { promise: allAreThere, resolve: everyoneArrived } = Promise.withResolvers<void>();
let arrived = 0;

function arrive(): void {
  if (++arrived === stops.length) everyoneArrived();
}

const forEver = () => new Promise<never>(() => {});

/** Calls `query` of the connection as usual, apart from one call. */
function stopAt(client: pg.PoolClient, { at, when }: Stop): void {
  const query = client.query.bind(client) as (...args: unknown[]) => Promise<unknown>;
  let statements = 0;
  const stopping = async (...args: unknown[]) => {
    if (statements++ !== at) return query(...args);
    if (when === "answered") await query(...args);
    arrive();
    if (when !== "sent") return forEver();
    await allAreThere;
    return query(...args);
  };
  Object.assign(client, { query: stopping });
}

const millrace = await Millrace.open({ store: postgres(url), kinds: KINDS, work: false, log: false });
for (const stop of stops) {
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  pool.on("connect", (client) => stopAt(client as pg.PoolClient, stop));
  void transact(millrace, pool, stop).then(arrive);
}
await allAreThere;
// The statements that are sent last may reach the server or not, and may have run or not.
const pauseMs = Math.random() * 3;
if (pauseMs < 1) setImmediate(() => process.kill(process.pid, "SIGKILL"));
else setTimeout(() => process.kill(process.pid, "SIGKILL"), pauseMs);
