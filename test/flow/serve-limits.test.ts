// Apart from the other tests of src/runtime/serve.ts, because limits of time are tested by outlasting them.

import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { describe, type TestContext, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import {
  type FetchHandler,
  type ListeningServer,
  type ServeLimits,
  serve,
} from "../../packages/millrace/src/runtime/serve.ts";
import { silentLog } from "../../packages/millrace/src/telemetry/log/log.ts";

describe("limits of a request", () => {
  test("headers over 16 KiB get 431", async (t) => {
    const { server } = await served(t, () => new Response());
    const answer = await raw(server, `GET / HTTP/1.1\r\nHost: a\r\nX: ${"x".repeat(17_000)}\r\n\r\n`);
    assert.match(answer, /^HTTP\/1\.1 431 /);
  });

  test("requests that no Request can be made of get 400", async (t) => {
    const { server } = await served(t, () => new Response());
    assert.match(await raw(server, "GET / HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n"), /^HTTP\/1\.1 400 /);
  });

  test("headers that do not arrive in time end the connection", async (t) => {
    const { server } = await served(t, () => new Response(), { headersMs: 1000 });
    assert.doesNotMatch(await raw(server, "GET / HTTP/1.1\r\nHost: a\r\n"), /200/);
  });

  test("a body that does not arrive in time ends the connection", async (t) => {
    const { server } = await served(t, async (request) => new Response(await request.text()), {
      headersMs: 1000,
      requestMs: 1000,
    });
    const answer = await raw(server, "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc");
    assert.doesNotMatch(answer, /200/);
  });

  test("an answer may take longer than any limit, with or without a body in the request", async (t) => {
    const handler: FetchHandler = async (request) => {
      if (new URL(request.url).pathname === "/stream") for await (const _ of request.body ?? []);
      else await request.text();
      // The limit under test is one of time, so the test has to outlast it: Bun looks every four seconds.
      await pause(6000);
      return new Response("at last");
    };
    const { url } = await served(t, handler, { headersMs: 1000, requestMs: 1000, idleMs: 1000 });
    const answers = await Promise.all([
      fetch(url),
      fetch(url, { method: "POST", body: "abc" }),
      fetch(`${url}/stream`, { method: "POST", body: "abc" }),
    ]);
    for (const answer of answers) assert.equal(await answer.text(), "at last");
  });

  test("a connection that stays silent after its answer is closed", async (t) => {
    const { server } = await served(t, async (request) => new Response(await request.text()), { idleMs: 1000 });
    const ask = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc";
    const answers = await Promise.all([raw(server, "GET / HTTP/1.1\r\nHost: a\r\n\r\n"), raw(server, ask)]);
    for (const answer of answers) assert.match(answer, /^HTTP\/1\.1 200 /);
  });

  test("a client that does not read its answer is cut off, whole bodies and streams alike", async (t) => {
    const cut = { whole: Promise.withResolvers<void>(), stream: Promise.withResolvers<void>() };
    const handler: FetchHandler = (request) => {
      if (new URL(request.url).pathname === "/whole") {
        request.signal.addEventListener("abort", () => cut.whole.resolve());
        return new Response(new Uint8Array(40_000_000));
      }
      const body = { pull: (to: Controller) => to.enqueue(new Uint8Array(65_536)), cancel: () => cut.stream.resolve() };
      return new Response(new ReadableStream(body));
    };
    const { server } = await served(t, handler, { idleMs: 1000 });
    for (const path of ["/whole", "/stream"]) {
      const socket = connect(server.port, "127.0.0.1").pause();
      socket.on("error", () => {});
      t.after(() => socket.destroy());
      socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`);
    }
    await Promise.all([cut.whole.promise, cut.stream.promise]);
  });
});

type Controller = ReadableStreamDefaultController<Uint8Array>;

async function served(t: TestContext, handler: FetchHandler, limits: Partial<ServeLimits> = {}) {
  const server = await serve({ hostname: "127.0.0.1", port: 0, fetch: handler, log: silentLog, limits });
  t.after(() => server.stop());
  return { server, url: `http://127.0.0.1:${server.port}` };
}

/** Sends these bytes and collects all that comes back until the server ends the connection. */
async function raw(server: ListeningServer, bytes: string): Promise<string> {
  const socket = connect(server.port, "127.0.0.1");
  let answer = "";
  socket.on("data", (data) => (answer += data));
  socket.on("error", () => {});
  socket.write(bytes);
  await once(socket, "close");
  return answer;
}
