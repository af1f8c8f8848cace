// The worker process: it runs jobs. Start as many as you need.

import { Millrace } from "millrace";
import { digest } from "./contracts.ts";
import { createKinds } from "./kinds.ts";
import { printMail } from "./mail.ts";
import { onShutdown } from "./shutdown.ts";
import { openStore } from "./store.ts";

const millrace = await Millrace.open({ store: openStore(), kinds: createKinds(printMail) });

// Every worker puts the same schedule; it fires once for all of them.
await millrace.schedules.put(digest, {
  name: "morning-digest",
  cron: "0 8 * * 1-5", // Monday to Friday, 8:00
  timeZone: "Europe/London",
  payload: { to: "team@example.com" },
});
console.log("Worker     ready");

// Jobs that run are finished first; the rest waits in the database.
onShutdown(() => millrace.stop());
