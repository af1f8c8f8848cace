// The web process: it accepts sign-ups, submits jobs and serves the dashboard. It runs no jobs.

import { createServer } from "node:http";
import { Millrace } from "millrace";
import { toNodeHandler } from "millrace/http";
import { createApp } from "./app.ts";
import { contracts } from "./contracts.ts";
import { onShutdown } from "./shutdown.ts";
import { openStore } from "./store.ts";

const port = Number(process.env.PORT ?? 3000);
const host = process.env.HOST ?? "127.0.0.1";

const millrace = await Millrace.open({ store: openStore(), kinds: contracts, work: false });
const server = createServer(toNodeHandler(createApp(millrace)));

server.once("error", async (error) => {
  console.error(`The web process cannot listen on ${host}:${port}: ${error.message}`);
  await millrace.stop();
  process.exit(1);
});
server.listen(port, host, () => {
  const address = server.address();
  const url = `http://${host}:${typeof address === "object" && address ? address.port : port}`;
  console.log(`Web        ${url}`);
  console.log(`Dashboard  ${url}/millrace/ui/   any user name, password: DASHBOARD_PASSWORD in .env`);
});

onShutdown(async () => {
  server.close();
  await millrace.stop();
});
