// A process that relays one outbox, on SQLite or PostgreSQL. It kills itself at one call of the relay, before or after the call.

import { Millrace, type MillraceOptions, postgres, sqlite } from "millrace";
import { outbox } from "millrace/outbox";
import pg from "pg";
import { noted } from "./kinds.ts";

const [, , store = "", app = "", at = "-1", when = ""] = process.argv;
const isPostgres = app.startsWith("postgres");
const source = isPostgres
  ? outbox.postgres(new pg.Pool({ connectionString: app, max: 2 }), { pollMs: 10 })
  : outbox.sqlite(app, { pollMs: 10 });

let calls = 0;
/** The calls that read and delete rows. Those of the store fall between two of them. */
for (const name of ["identity", "read", "remove", "backlog"] as const) {
  const call = source.database[name].bind(source.database) as (...args: unknown[]) => Promise<unknown>;
  Object.assign(source.database, {
    [name]: async (...args: unknown[]) => {
      const isLast = calls++ === Number(at);
      if (isLast && when === "before") process.kill(process.pid, "SIGKILL");
      if (isLast && when === "during") setTimeout(() => process.kill(process.pid, "SIGKILL"), Math.random() * 4);
      const answer = await call(...args);
      if (isLast && when === "after") process.kill(process.pid, "SIGKILL");
      // What follows is a call of the store.
      if (isLast && when === "behind") setTimeout(() => process.kill(process.pid, "SIGKILL"), Math.random() * 4);
      return answer;
    },
  });
}

const options: MillraceOptions = {
  store: store.startsWith("postgres") ? postgres(store) : sqlite(store),
  kinds: [noted],
  outboxes: [source],
  work: false,
  log: false,
  leaseMs: 400,
};
await Millrace.open(options);
console.log("ready");
