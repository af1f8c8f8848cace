// runtimes: both

import assert from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { type TestContext, test } from "node:test";
import { PortRelay, RelayTarget } from "./relay.ts";

/** A worker that answers whatever it gets with its name, and closes. */
async function worker(t: TestContext, name: string): Promise<RelayTarget> {
  const server = createServer((socket) => socket.on("data", () => socket.end(name)));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => server.close());
  return new RelayTarget((server.address() as AddressInfo).port);
}

async function started(t: TestContext) {
  const relay = new PortRelay();
  const { port } = await relay.listen({ host: "127.0.0.1", port: 0 });
  t.after(() => relay.stop());
  const open = async () => {
    const socket = connect(port, "127.0.0.1");
    await once(socket, "connect");
    return socket;
  };
  return { relay, open };
}

async function answer(socket: Socket, question = "hello"): Promise<string> {
  socket.setEncoding("utf8");
  let text = "";
  socket.on("data", (part) => (text += part));
  socket.write(question);
  await once(socket, "close");
  return text;
}

test("a connection goes to the worker of the moment of its first byte", async (t) => {
  const { relay, open } = await started(t);
  relay.switchTo(await worker(t, "old"));
  assert.equal(await answer(await open()), "old");
  const early = await open();
  relay.switchTo(await worker(t, "new"));
  assert.equal(await answer(early), "new");
  assert.equal(await answer(await open()), "new");
});

test("a connection waits while no worker is there, and is answered when it waits for a person", async (t) => {
  const { relay, open } = await started(t);
  const waiting = answer(await open());
  relay.switchTo(await worker(t, "first"));
  assert.equal(await waiting, "first");
  relay.interrupt("The code does not load.");
  const refused = await answer(await open());
  assert.match(refused, /^HTTP\/1\.1 503 [\s\S]*"error":"The code does not load\."/);
});
