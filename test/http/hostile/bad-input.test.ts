import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { describe, test } from "node:test";
import { accessRoutes } from "../../../packages/millrace/src/api/access.ts";
import { dlqRoutes } from "../../../packages/millrace/src/api/dead-letters.ts";
import { jobRoutes } from "../../../packages/millrace/src/api/job.ts";
import { systemRoutes } from "../../../packages/millrace/src/api/system.ts";
import { good, held, refused, send } from "../support/call.ts";
import { sharedServer } from "../support/server.ts";

const server = await sharedServer();
const JSON_TYPE = { "content-type": "application/json" };

describe("a body", () => {
  test("that is not JSON, too deep, with __proto__ or beyond all numbers gets 400", async () => {
    const deep = (levels: number) => `{"payload":${"[".repeat(levels)}${"]".repeat(levels)},"kind":"quick"}`;
    const bodies = [
      "{",
      "",
      "nul",
      "{'payload':1}",
      '{"payload":1}x',
      "\u0000",
      '{"payload":NaN}',
      deep(64),
      deep(100_000),
      '{"kind":"quick","payload":{"__proto__":{"admin":true}}}',
      '{"kind":"quick","payload":[{"\\u005f_proto__":1}]}',
      '{"__proto__":{},"kind":"quick","payload":1}',
      '{"kind":"quick","payload":{"a":[-1e400]}}', // parsed as -Infinity, it would be stored as null
      `{"kind":"quick","payload":${"9".repeat(400)}}`,
    ];
    for (const body of bodies) {
      const { error } = await refused(server, jobRoutes.submit, { body, headers: JSON_TYPE }, "invalid-json");
      assert.ok(error.error.length > 10);
    }
    const fits = await good(server, jobRoutes.submit, { body: deep(63), headers: JSON_TYPE });
    assert.ok("jobId" in fits);
    await good(server, jobRoutes.submit, { body: { kind: "quick", payload: "a text with __proto__ in it" } });
    await good(server, jobRoutes.submit, { body: { kind: "quick", payload: "]}]}[{[{".repeat(100) } });
    const large = await good(server, jobRoutes.submit, { body: { kind: "quick", payload: 1.7e308 } });
    assert.equal("payload" in large && large.payload, 1.7e308);
  });

  test("that is not UTF-8 gets 400", async () => {
    const bytes = Buffer.from('{"kind":"quick","payload":"\xff\xfe"}', "latin1");
    const answer = await raw(
      `POST /jobs HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: ${bytes.length}\r\n\r\n`,
      bytes,
    );
    assert.match(answer, /^HTTP\/1\.1 400 /);
    assert.match(answer, /"invalid-json".*|not valid UTF-8/);
  });

  test("over 1 MiB gets 413, with a length and without", async () => {
    const body = (bytes: number) => `{"kind":"quick","payload":"${"x".repeat(bytes)}"}`;
    const room = 1_048_576 - body(0).length;
    await refused(server, jobRoutes.submit, { body: body(room + 1), headers: JSON_TYPE }, "too-large");
    const head = "POST /jobs HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nConnection: close\r\n";
    const text = body(room + 1);
    const chunked = await raw(
      `${head}Transfer-Encoding: chunked\r\n\r\n${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`,
    );
    assert.match(chunked, /^HTTP\/1\.1 413 /);
    const small = body(10);
    const fits = await raw(
      `${head}Transfer-Encoding: chunked\r\n\r\n${small.length.toString(16)}\r\n${small}\r\n0\r\n\r\n`,
    );
    assert.match(fits, /^HTTP\/1\.1 201 /);
    await good(server, jobRoutes.submit, { body: body(room), headers: JSON_TYPE });
  });

  test("of 80,000 keys gets 413 before it is parsed; a thousand jobs of 40 keys each are taken", async () => {
    const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, 0]));
    const bodies = [keys(80_000), { kind: "quick", payload: keys(80_000) }, { payload: [{ text: keys(10_001) }] }];
    for (const path of ["/jobs", "/render", "/sites"]) {
      for (const body of bodies) {
        const { error } = await held(await send(server, "POST", path, { body }));
        assert.equal(error?.code, "too-large", path);
      }
    }
    const spread = Array.from({ length: 600 }, () => ({ kind: "quick", payload: keys(100) }));
    await refused(server, jobRoutes.submit, { body: spread }, "too-large");
    const jobs = Array.from({ length: 1_000 }, () => ({ kind: "quick", payload: keys(40), delayMs: 3_600_000 }));
    await good(server, jobRoutes.submit, { body: jobs });
    await good(server, jobRoutes.submit, { body: { kind: "quick", payload: keys(10_000), delayMs: 3_600_000 } });
  });

  test("of 400 MB leaves the server as it was", async () => {
    const before = server.rss();
    const megabyte = new Uint8Array(1_000_000);
    const socket = connect(server.port, "127.0.0.1");
    socket.on("error", () => {});
    const closed = new Promise((resolve) => socket.on("close", resolve));
    let answer = "";
    socket.on("data", (data) => (answer += data));
    socket.write(
      "POST /jobs HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 400000000\r\n\r\n",
    );
    for (let i = 0; i < 400 && !socket.destroyed; i++) {
      if (!socket.write(megabyte))
        await Promise.race([new Promise((resolve) => socket.once("drain", resolve)), closed]);
    }
    if (!answer) await Promise.race([new Promise((resolve) => socket.once("data", resolve)), closed]);
    socket.destroy();
    assert.match(answer, /^HTTP\/1\.1 413 /, `answered ${JSON.stringify(answer.slice(0, 80))}`);
    // What is thrown away as it comes is garbage for a while: some tens of MB on Node, whatever the size of the body.
    const grown = (server.rss() - before) / 1e6;
    assert.ok(grown < 200, `grew by ${Math.round(grown)} MB`);
    await good(server, systemRoutes.health);
  });

  test("that is not sent as application/json gets 415, on every route that takes one", async () => {
    const specs = [jobRoutes.submit, jobRoutes.cancelMany, dlqRoutes.revive, accessRoutes.createKey] as const;
    for (const spec of specs) {
      for (const type of [
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data",
        "application/jsonp",
      ]) {
        const asked = { body: "{}", headers: { "content-type": type } };
        await refused(server, spec as typeof jobRoutes.submit, asked, "unsupported-media-type");
      }
    }
    const noBodyWanted = { params: { kind: "quick" }, body: "a=1", headers: { "content-type": "text/plain" } };
    await refused(server, systemRoutes.pause, noBodyWanted, "unsupported-media-type");
    await refused(server, systemRoutes.pause, { params: { kind: "quick" }, body: { a: 1 } }, "invalid-request");
    const utf8 = { "content-type": 'application/json; charset="UTF-8"' };
    await good(server, jobRoutes.submit, { body: { kind: "quick", payload: 1 }, headers: utf8 });
  });
});

describe("an address", () => {
  test("that is none gets 404, a method that is none there 405 with Allow", async () => {
    for (const path of ["/nowhere", "/jobs/job_00000000/nothing", "/JOBS", "/%2e%2e/x", "/jobs%00"]) {
      const response = await send(server, "GET", path);
      assert.equal(response.status, 404, path);
      assert.equal((await held(response)).error?.code, "not-found");
    }
    const cases = [
      ["PATCH", "/jobs", "GET, HEAD, POST"],
      ["PUT", "/jobs/job_00000000", "GET, HEAD, PATCH, DELETE"],
      ["GET", "/jobs/job_00000000/retry", "POST"],
      ["POST", "/health", "GET, HEAD"],
      ["OPTIONS", "/schedules/a", "GET, HEAD, PUT, DELETE"],
    ] as const;
    for (const [method, path, allow] of cases) {
      const response = await send(server, method, path);
      assert.equal(response.status, 405, path);
      assert.equal(response.headers.get("allow"), allow);
      assert.equal((await held(response)).error?.code, "method-not-allowed");
    }
  });

  test("takes HEAD wherever it takes GET, also on the feed", async () => {
    for (const path of ["/health", "/jobs", "/live", "/docs", "/openapi.json"]) {
      const response = await send(server, "HEAD", path);
      assert.equal(response.status, 200, path);
      assert.ok(response.headers.get("x-trace-id"));
      assert.equal(await response.text(), "");
    }
  });

  test("with a wrong query gets 422 with the field", async () => {
    const cases: [string, string][] = [
      ["limit=0", "limit"],
      ["limit=501", "limit"],
      ["limit=1e3", "limit"],
      ["limit=99999999999999999999", "limit"],
      ["limit=-1", "limit"],
      ["offset=x", "offset"],
      ["limit=1&limit=2", "limit"],
      ["cursor=abc", "cursor"],
      ["cursor=YmVmb3JlIGpvYl8wMDAwMDAwMA%3D%3D", "cursor"],
      ["since=yesterday", "since"],
      ["inProgress=yes", "inProgress"],
      ["q=%00", "q"],
      ["status=runing", "status"],
    ];
    for (const [query, path] of cases) {
      const { error } = await refused(server, jobRoutes.list, { query }, "invalid-request");
      assert.deepEqual(
        error.issues?.map((issue) => issue.path),
        [path],
        query,
      );
    }
    const { error } = await refused(server, jobRoutes.list, { query: "status=runing" }, "invalid-request");
    assert.match(error.hint ?? "", /pending.*not-started.*running.*retrying.*rendering/);
    const filter = { filter: { status: "runing" } };
    await refused(server, jobRoutes.cancelMany, { body: filter }, "invalid-request");
    await refused(server, jobRoutes.retryMany, { body: filter }, "invalid-request");
    await refused(server, dlqRoutes.discard, { query: "kidn=text&all=true" }, "invalid-request");
    await refused(server, dlqRoutes.discard, { query: "kind=&all=true" }, "invalid-request");
    await refused(server, systemRoutes.pause, { params: { kind: "quick" }, query: "a=1" }, "invalid-request");
  });
});

describe("a header", () => {
  test("that does not fit gets 422, or is left aside where it only informs", async () => {
    const body = { kind: "quick", payload: 1 };
    for (const tenant of ["", "a b", "-x", "x".repeat(65), "a/b", "ü"]) {
      if (tenant === "ü") continue;
      await refused(server, jobRoutes.submit, { body, tenant }, "invalid-request");
    }
    await refused(server, jobRoutes.submit, { body, tenant: "*" }, "invalid-request");
    for (const key of ["", "a b", "x".repeat(256)])
      await refused(server, jobRoutes.submit, { body, headers: { "idempotency-key": key } }, "invalid-request");
    for (const given of ["a b", "<script>", "x".repeat(129)]) {
      const response = await send(server, "GET", "/health", { headers: { "x-trace-id": given } });
      assert.notEqual(response.headers.get("x-trace-id"), given);
      await held(response);
    }
  });

  test("over 16 KiB gets 431, and two lengths get 400", async () => {
    assert.match(await raw(`GET /health HTTP/1.1\r\nHost: localhost\r\nX: ${"x".repeat(20_000)}\r\n\r\n`), / 431 /);
    const both =
      "POST /jobs HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n";
    assert.match(await raw(both), /^HTTP\/1\.1 400 /);
  });
});

async function raw(...parts: (string | Uint8Array)[]): Promise<string> {
  const socket = connect(server.port, "127.0.0.1");
  let answer = "";
  socket.on("data", (data) => (answer += data));
  socket.on("error", () => {});
  for (const part of parts) socket.write(part);
  await once(socket, "close");
  return answer;
}
