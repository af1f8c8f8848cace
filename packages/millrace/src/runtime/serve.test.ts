// runtimes: both

import assert from "node:assert/strict";
import { EventEmitter, once } from "node:events";
import { Agent, request as httpRequest } from "node:http";
import { connect, type Socket } from "node:net";
import { describe, type TestContext, test } from "node:test";
import { type Log, silentLog } from "../telemetry/log/log.ts";
import { type FetchHandler, type ServeOptions, serve } from "./serve.ts";

describe("requests and answers", () => {
  test("the handler sees method, address, headers and body; the client sees status, headers and body", async (t) => {
    const { url } = await served(t, async (request, caller) => {
      const { pathname, search } = new URL(request.url);
      return Response.json(
        {
          method: request.method,
          path: pathname + search,
          header: request.headers.get("x-a"),
          body: await request.text(),
          caller,
        },
        { status: 201, headers: { "x-b": "2" } },
      );
    });
    const response = await fetch(`${url}/a%20b?c=d`, { method: "POST", body: "grüße", headers: { "x-a": "1" } });
    assert.equal(response.status, 201);
    assert.equal(response.headers.get("x-b"), "2");
    assert.deepEqual(await response.json(), {
      method: "POST",
      path: "/a%20b?c=d",
      header: "1",
      body: "grüße",
      caller: { address: "127.0.0.1" },
    });
  });

  test("several cookies stay several", async (t) => {
    const headers: [string, string][] = [
      ["set-cookie", "a=1"],
      ["set-cookie", "b=2"],
    ];
    const { url } = await served(t, () => new Response(null, { status: 204, headers }));
    assert.deepEqual((await fetch(url)).headers.getSetCookie(), ["a=1", "b=2"]);
  });

  test("HEAD gets the headers without the body", async (t) => {
    const { url } = await served(t, () => new Response("hello", { headers: { "x-b": "2" } }));
    const response = await fetch(url, { method: "HEAD" });
    assert.equal(response.headers.get("x-b"), "2");
    assert.equal(await response.text(), "");
  });

  test("a body of megabytes arrives whole in both directions", async (t) => {
    const { url } = await served(t, async (request) => new Response(request.body));
    const bytes = new Uint8Array(3_000_000).map((_, i) => i % 251);
    const response = await fetch(url, { method: "POST", body: bytes });
    assert.deepEqual(new Uint8Array(await response.arrayBuffer()), bytes);
  });

  test("every way of reading a body works", async (t) => {
    const { url } = await served(t, async (request) => {
      const how = new URL(request.url).pathname;
      if (how === "/json") return Response.json(await request.json());
      if (how === "/bytes") return new Response((await request.arrayBuffer()).byteLength.toString());
      let count = 0;
      for await (const part of request.body ?? []) count += part.length;
      return new Response(String(count));
    });
    const post = async (path: string) => (await fetch(url + path, { method: "POST", body: '{"a":1}' })).text();
    assert.deepEqual([await post("/json"), await post("/bytes"), await post("/stream")], ['{"a":1}', "7", "7"]);
  });

  test("a streamed answer arrives part by part", async (t) => {
    const { promise: goOn, resolve } = Promise.withResolvers<void>();
    const { url } = await served(
      t,
      () =>
        new Response(
          parts(async function* () {
            yield "first";
            await goOn;
            yield "second";
          }),
        ),
    );
    const reader = (await fetch(url)).body?.getReader();
    assert.equal(text(await reader?.read()), "first");
    resolve();
    assert.equal(text(await reader?.read()), "second");
  });
});

describe("faults", () => {
  test("a handler that throws gives 500 without a stack trace, and a log line", async (t) => {
    const events: string[] = [];
    const log: Log = { ...silentLog, error: (event) => void events.push(event) };
    const { url } = await served(
      t,
      () => {
        throw new Error("at /secret/path.ts:3");
      },
      { log },
    );
    const response = await fetch(url);
    assert.equal(response.status, 500);
    assert.deepEqual(await response.json(), { error: "The server failed to process this request.", code: "internal" });
    assert.deepEqual(events, ["request failed"]);
  });

  test("the signal is aborted when the client goes away before its answer", async (t) => {
    const { promise: aborted, resolve } = Promise.withResolvers<void>();
    const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>();
    const { url } = await served(t, async (request) => {
      request.signal.addEventListener("abort", () => resolve());
      arrive();
      await aborted;
      return new Response("too late");
    });
    const request = httpRequest(url).end();
    request.on("error", () => {});
    await arrived;
    request.destroy();
    await aborted;
  });

  test("a streamed answer is cancelled when the client goes away", async (t) => {
    const { promise: cancelled, resolve } = Promise.withResolvers<void>();
    const body = new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode("first")),
      cancel: () => resolve(),
    });
    const { url } = await served(t, () => new Response(body));
    const abort = new AbortController();
    const response = await fetch(url, { signal: abort.signal });
    await response.body?.getReader().read();
    abort.abort();
    await cancelled;
  });

  test("the signal stays quiet when the answer was complete", async (t) => {
    let signal: AbortSignal | undefined;
    const { url, server } = await served(t, (request) => {
      signal = request.signal;
      return new Response("done");
    });
    await (await fetch(url)).text();
    await server.stop();
    assert.equal(signal?.aborted, false);
  });

  test("a port that is taken is an error to catch", async (t) => {
    const { server } = await served(t, () => new Response());
    await assert.rejects(serve(options(() => new Response(), { port: server.port })), { code: "EADDRINUSE" });
  });
});

describe("stopping", () => {
  test("lets a request under way finish, closes its connection, and then takes no new ones", async (t) => {
    const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>();
    const { promise: goOn, resolve } = Promise.withResolvers<void>();
    const { url, server } = await served(t, async () => {
      arrive();
      await goOn;
      return new Response("finished");
    });
    const answer = answerOf(url);
    await arrived;
    const stopped = server.stop({ graceMs: 5000 });
    resolve();
    assert.deepEqual(await answer, { connection: "close", text: "finished" });
    await stopped;
    await assert.rejects(fetch(url));
  });

  test("resets no request of a busy connection: each is told by its last answer to close", async (t) => {
    const { server } = await served(t, async (request) => new Response(await request.text()));
    const busy = Array.from({ length: 12 }, () => new BusyConnection(server.port));
    t.after(() => busy.forEach((each) => void each.destroy()));
    await Promise.all(busy.map((each) => each.answered(20)));
    await server.stop({ graceMs: 5000 });
    assert.deepEqual(await Promise.all(busy.map((each) => each.ended)), Array(12).fill("told to close"));
  });

  test("cuts what outlasts the grace", async (t) => {
    const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>();
    const { promise: aborted, resolve } = Promise.withResolvers<void>();
    const { url, server } = await served(t, async (request) => {
      request.signal.addEventListener("abort", () => resolve());
      arrive();
      await aborted;
      return new Response();
    });
    const response = assert.rejects(fetch(url));
    await arrived;
    await server.stop({ graceMs: 50 });
    await aborted;
    await response;
  });

  test("asked again with less grace, hurries", async (t) => {
    const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>();
    const { url, server } = await served(t, async (request) => {
      arrive();
      await new Promise((resolve) => request.signal.addEventListener("abort", resolve));
      return new Response();
    });
    const response = assert.rejects(fetch(url));
    await arrived;
    await Promise.all([server.stop({ graceMs: 60_000 }), server.stop({ graceMs: 10 })]);
    await response;
  });

  test("does not wait for connections kept alive, and may be asked twice", async (t) => {
    const { url, server } = await served(t, () => new Response("hello"));
    await (await fetch(url)).text();
    await Promise.all([server.stop({ graceMs: 60_000 }), server.stop({ graceMs: 60_000 })]);
    await server.stop();
  });
});

/** The header, which fetch does not show on every runtime, and the body. */
function answerOf(url: string): Promise<{ connection: string | undefined; text: string }> {
  return new Promise((resolve, reject) => {
    httpRequest(url, { agent: new Agent({ keepAlive: true }) }, async (answer) => {
      const parts = await answer.toArray();
      resolve({ connection: answer.headers.connection, text: Buffer.concat(parts).toString() });
    })
      .on("error", reject)
      .end();
  });
}

/** A client that sends its next request as soon as it has the answer to the last one. */
class BusyConnection {
  readonly ended: Promise<"told to close" | "reset">;
  readonly #socket: Socket;
  readonly #answers = new EventEmitter();

  constructor(port: number) {
    this.#socket = connect(port, "127.0.0.1");
    const send = () => this.#socket.write("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\nhi");
    this.ended = new Promise((resolve) => {
      this.#socket.on("data", (data) => {
        this.#answers.emit("answer");
        if (/^connection: close\r$/im.test(String(data))) resolve("told to close");
        else send();
      });
      this.#socket.on("error", () => resolve("reset"));
      this.#socket.on("close", () => resolve("reset"));
    });
    send();
  }

  async answered(count: number): Promise<void> {
    for (let i = 0; i < count; i++) await once(this.#answers, "answer");
  }

  destroy(): void {
    this.#socket.destroy();
  }
}

function options(handler: FetchHandler, more: Partial<ServeOptions> = {}): ServeOptions {
  return { hostname: "127.0.0.1", port: 0, fetch: handler, log: silentLog, ...more };
}

async function served(t: TestContext, handler: FetchHandler, more: Partial<ServeOptions> = {}) {
  const server = await serve(options(handler, more));
  t.after(() => server.stop());
  return { server, url: `http://127.0.0.1:${server.port}` };
}

function parts(make: () => AsyncGenerator<string>): ReadableStream {
  const source = make();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await source.next();
      if (done) controller.close();
      else controller.enqueue(new TextEncoder().encode(value));
    },
  });
}

function text(part: { value?: Uint8Array | undefined } | undefined): string {
  return new TextDecoder().decode(part?.value);
}
