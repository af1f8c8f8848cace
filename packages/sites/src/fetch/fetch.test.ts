// runtimes: both

import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import { type AddressInfo, createServer as createTcp } from "node:net";
import { describe, type TestContext, test } from "node:test";
import { brotliCompressSync, createGzip, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { FetchFault } from "./fault.ts";
import { type FetchLimits, fetchGuarded, USER_AGENT } from "./fetch.ts";
import { fetchPolicy } from "./policy.ts";

async function served(t: TestContext, listener: RequestListener) {
  const server = createServer(listener).listen(0, "127.0.0.1");
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, "listening");
  return getting((server.address() as AddressInfo).port);
}

function getting(port: number) {
  const policy = fetchPolicy({ allow: [`127.0.0.1:${port}`] });
  return (path = "/", limits: Partial<FetchLimits> = {}, signal?: AbortSignal) =>
    fetchGuarded(`http://127.0.0.1:${port}${path}`, { policy, limits, ...(signal && { signal }) });
}

const fault = (code: string) => (error: unknown) => error instanceof FetchFault && error.code === code;
const text = ({ body }: { body: Uint8Array }) => Buffer.from(body).toString();

describe("a guarded fetch", () => {
  test("gives status, headers and body, and says who asks", async (t) => {
    const get = await served(t, (request, response) => {
      response.writeHead(404, { "content-type": "text/html", "x-robots-tag": "noindex" });
      response.end(`${request.headers["user-agent"]} ${request.headers.connection}`);
    });
    const fetched = await get("/missing?q=1");
    assert.equal(fetched.status, 404);
    assert.equal(fetched.headers["x-robots-tag"], "noindex");
    assert.equal(text(fetched), `${USER_AGENT} close`);
  });

  test("follows redirects and tells them", async (t) => {
    const get = await served(t, (request, response) => {
      if (request.url === "/a") response.writeHead(301, { location: "b?x=1" }).end();
      else if (request.url === "/b?x=1") response.writeHead(307, { location: "/c" }).end();
      else response.end(request.url);
    });
    const fetched = await get("/a");
    assert.equal(text(fetched), "/c");
    assert.deepEqual(
      fetched.redirects.map((url) => new URL(url).pathname),
      ["/b", "/c"],
    );
  });

  test("unpacks gzip, both kinds of deflate, brotli and layers of them; refuses what it does not know", async (t) => {
    const page = "packed ".repeat(30_000);
    const packed: Record<string, Uint8Array> = {
      gzip: gzipSync(page),
      deflate: deflateSync(page),
      "deflate-raw": deflateRawSync(page),
      br: brotliCompressSync(page),
      "gzip, br": brotliCompressSync(gzipSync(page)),
      "identity, deflate , gzip": gzipSync(deflateSync(page)),
    };
    const get = await served(t, (request, response) => {
      const name = decodeURIComponent(request.url?.slice(1) ?? "");
      response.writeHead(200, { "content-encoding": name.replace("-raw", "") });
      response.end(packed[name] ?? "?");
    });
    for (const name of Object.keys(packed)) assert.equal(text(await get(`/${encodeURIComponent(name)}`)), page, name);
    for (const name of ["zstd", "gzip,zstd", "gzip,gzip,gzip,gzip"]) {
      await assert.rejects(get(`/${encodeURIComponent(name)}`), fault("bad-encoding"), name);
    }
  });

  test("a bomb in layers and a damaged page end as they should", async (t) => {
    const bomb = gzipSync(gzipSync(Buffer.alloc(50_000_000)));
    const get = await served(t, (request, response) => {
      const isBomb = request.url === "/bomb";
      response.writeHead(200, { "content-encoding": isBomb ? "gzip, gzip" : "deflate" });
      response.end(isBomb ? bomb : Buffer.from([0x78, 0x9c, 1, 2, 3, 4, 5, 6]));
    });
    const { body, truncated } = await get("/bomb", { maxBytes: 1_000_000 });
    assert.deepEqual([body.byteLength, truncated], [1_000_000, true]);
    await assert.rejects(get("/damaged"), fault("bad-answer"));
  });

  test("tries every address of a name until one can be reached", async (t) => {
    const server = createServer((_request, response) => response.end("reached")).listen(0, "127.0.0.1");
    t.after(() => server.close());
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const resolved: string[] = [];
    const policy = {
      ports: [],
      allow: new Set([`many.test:${port}`]),
      resolve: async (host: string) => {
        resolved.push(host);
        // Nobody listens at the first two.
        return ["127.0.0.2", "127.0.0.3", "127.0.0.1"];
      },
    };
    assert.equal(text(await fetchGuarded(`http://many.test:${port}/`, { policy })), "reached");
    assert.equal(resolved.length, 1, "looked up once, so that what was checked is what is connected to");
    const none = { ...policy, resolve: async () => ["127.0.0.2", "127.0.0.3"] };
    await assert.rejects(fetchGuarded(`http://many.test:${port}/`, { policy: none }), fault("connect-failed"));
  });

  test("keeps robots headers for different bots apart", async (t) => {
    const get = await served(t, (_request, response) => {
      response.writeHead(200, { "X-Robots-Tag": ["googlebot: nofollow", "noindex"] }).end();
    });
    assert.equal((await get()).headers["x-robots-tag"], "googlebot: nofollow\nnoindex");
  });

  test("an endless page is cut, not read", async (t) => {
    let sent = 0;
    const get = await served(t, (_request, response) => {
      const more = () => {
        while (!response.destroyed && response.write("x".repeat(65_536))) sent += 65_536;
      };
      response.on("drain", more);
      more();
    });
    const { body, truncated } = await get("/", { maxBytes: 200_000 });
    assert.equal(body.byteLength, 200_000);
    assert.equal(truncated, true);
    assert.ok(sent < 50_000_000);
  });

  test("a packed bomb is stopped at the limit", async (t) => {
    const get = await served(t, (_request, response) => {
      response.writeHead(200, { "content-encoding": "gzip", "content-type": "text/html" });
      const gzip = createGzip();
      gzip.pipe(response);
      const zeros = Buffer.alloc(1_048_576);
      let left = 200;
      const more = () => {
        while (left-- > 0 && !response.destroyed) if (!gzip.write(zeros)) return gzip.once("drain", more);
        return gzip.end();
      };
      more();
      response.on("close", () => gzip.destroy());
    });
    const { body, truncated } = await get("/", { maxBytes: 1_000_000 });
    assert.equal(body.byteLength, 1_000_000);
    assert.equal(truncated, true);
  });

  test("slow headers and a slow body run into their limits", async (t) => {
    const get = await served(t, (request, response) => {
      if (request.url === "/body") response.write("<p>the first part");
    });
    await assert.rejects(get("/", { headersMs: 100 }), fault("timed-out"));
    await assert.rejects(get("/body", { totalMs: 200 }), fault("timed-out"));
  });

  test("a resolver that never answers runs into the limit too", async () => {
    const policy = { ports: [], allow: new Set<string>(), resolve: () => new Promise<string[]>(() => {}) };
    await assert.rejects(fetchGuarded("http://slow.test/", { policy, limits: { totalMs: 100 } }), fault("timed-out"));
  });

  test("who asked can stop it", async (t) => {
    const get = await served(t, () => {});
    const stop = new AbortController();
    const reason = new Error("cancelled");
    const got = assert.rejects(get("/", {}, stop.signal), reason);
    stop.abort(reason);
    await got;
    await assert.rejects(get("/", {}, stop.signal), reason);
  });

  test("a closed port, a cut answer and one that is not HTTP are told apart", async (t) => {
    const tcp = createTcp((socket) => {
      socket.on("error", () => {});
      socket.once("data", (asked) => {
        if (String(asked).includes("/cut")) socket.write("HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n<p>");
        else socket.write("220 smtp.example ESMTP\r\n");
        setImmediate(() => socket.destroy());
      });
    }).listen(0, "127.0.0.1");
    t.after(() => tcp.close());
    await once(tcp, "listening");
    const get = getting((tcp.address() as AddressInfo).port);
    const wrong = (error: unknown) => error instanceof FetchFault && error.passing;
    await assert.rejects(get("/cut"), wrong);
    await assert.rejects(get("/smtp"), wrong);
    const closed = createTcp().listen(0, "127.0.0.1");
    await once(closed, "listening");
    const { port } = closed.address() as AddressInfo;
    closed.close();
    await once(closed, "close");
    await assert.rejects(getting(port)(), fault("connect-failed"));
  });
});
