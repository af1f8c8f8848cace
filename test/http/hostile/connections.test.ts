// One client that holds as many connections as it can get, on a server that may open few files.

import assert from "node:assert/strict";
import { connect, type Socket } from "node:net";
import { type TestContext, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { type Server, startServer } from "../support/server.ts";

const IS_LINUX = process.platform === "linux";
const WHY = "only Linux has 127.0.0.2 without being told, and counts what a process has open";

const HEALTH = "GET /health HTTP/1.1\r\nHost: localhost\r\n";
const DRAWING = JSON.stringify({ format: "graphviz", source: "digraph { a }" });
const RENDER = `POST /render?mode=sync HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${DRAWING.length}\r\n`;

test("a client that holds 240 connections shuts nobody out, and files and children can be opened", async (t) => {
  if (!IS_LINUX) return t.skip(WHY);
  const server = await startServer(t, { descriptors: 256 });
  const held = hold(t, server, 240, "127.0.0.1");
  assert.match(await answered(t, server, HEALTH), /^HTTP\/1\.1 200 /);
  // A renderer is a process of its own, with pipes to it.
  assert.match(await answered(t, server, RENDER, DRAWING), /^HTTP\/1\.1 200 .*shortlink/s);
  while (held.open() > 120) await pause(50);
});

test("a trusted proxy has as many connections as it needs, another client no more than it may", async (t) => {
  if (!IS_LINUX) return t.skip(WHY);
  const server = await startServer(t, { limits: { connectionsPerPeer: 10 }, trustedProxies: ["127.0.0.3"] });
  const proxy = hold(t, server, 60, "127.0.0.3");
  const client = hold(t, server, 60, "127.0.0.1");
  while (client.open() > 10) await pause(50);
  assert.equal(proxy.open(), 60);
  assert.match(await answered(t, server, HEALTH), /^HTTP\/1\.1 200 /);
});

/** Each has had an answer, and is silent from then on. */
function hold(t: TestContext, server: Server, count: number, from: string): { open(): number } {
  let closed = 0;
  for (let i = 0; i < count; i++) {
    const socket = socketFrom(t, server, from);
    socket.resume().on("close", () => closed++);
    socket.write(`${HEALTH}\r\n`);
  }
  return { open: () => count - closed };
}

/** By another client than the one that holds connections; tried again while the server has no room. */
async function answered(t: TestContext, server: Server, head: string, body = ""): Promise<string> {
  for (;;) {
    const socket = socketFrom(t, server, "127.0.0.2");
    socket.write(`${head}Connection: close\r\n\r\n${body}`);
    let text = "";
    socket.on("data", (data) => (text += data));
    // Not `once` of node:events: it would throw when a server without room resets the connection.
    await new Promise((resolve) => socket.once("close", resolve));
    if (text !== "") return text;
  }
}

function socketFrom(t: TestContext, server: Server, localAddress: string): Socket {
  const socket = connect({ port: server.port, host: "127.0.0.1", localAddress });
  socket.on("error", () => {});
  t.after(() => socket.destroy());
  return socket;
}
