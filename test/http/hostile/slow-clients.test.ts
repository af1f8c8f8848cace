// Beside test/flow/serve-limits.test.ts, which has one slow client of each sort: here are many, beside a good one.

import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { type TestContext, test } from "node:test";
import { jobRoutes } from "../../../packages/millrace/src/api/job.ts";
import { scaled } from "../../support/slowness.ts";
import { good } from "../support/call.ts";
import { type Server, startServer } from "../support/server.ts";

const HALVES = [
  "POST /jobs HTTP/1.1\r\nHost: localhost\r\nX-Half: ",
  "POST /jobs HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{",
  "POST /jobs HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{",
  "",
];

test("200 that send half a request do not slow a good one, and are cut within their time", async (t) => {
  const server = await startServer(t, { limits: { headersMs: 2_000, requestMs: 2_000 }, settings: { queueMax: 0 } });
  await times(server, 100);
  const alone = median(await times(server, 100));
  const slow = Array.from({ length: 200 }, (_, i) => half(t, server, HALVES[i % HALVES.length] as string));
  await Promise.all(slow.map(({ connected }) => connected));
  const beside = median(await times(server, 100));
  assert.ok(beside < alone * 3 + scaled(10), `${alone.toFixed(1)} ms alone, ${beside.toFixed(1)} ms beside them`);
  const startedAt = performance.now();
  await Promise.all(slow.map(({ closed }) => closed));
  const tookMs = performance.now() - startedAt;
  assert.ok(tookMs < scaled(40_000), `the last was cut after ${Math.round(tookMs)} ms`);
  await times(server, 10);
});

interface Slow {
  readonly socket: Socket;
  readonly connected: Promise<unknown>;
  readonly closed: Promise<unknown>;
}

/** Sends a little more now and then, which must not buy it time. */
function half(t: TestContext, server: Server, text: string): Slow {
  const socket = connect(server.port, "127.0.0.1");
  socket.on("error", () => {});
  socket.resume();
  const connected = once(socket, "connect").then(() => void socket.write(text));
  const drip = setInterval(() => text !== "" && socket.writable && socket.write(" "), 500);
  const closed = new Promise((resolve) => socket.once("close", resolve)).finally(() => clearInterval(drip));
  t.after(() => {
    clearInterval(drip);
    socket.destroy();
  });
  return { socket, connected, closed };
}

async function times(server: Server, count: number): Promise<number[]> {
  const taken: number[] = [];
  for (let i = 0; i < count; i++) {
    const startedAt = performance.now();
    await good(server, jobRoutes.submit, { body: { kind: "quick", payload: i } });
    taken.push(performance.now() - startedAt);
  }
  return taken;
}

function median(values: number[]): number {
  return values.sort((a, b) => a - b)[Math.floor(values.length / 2)] as number;
}
