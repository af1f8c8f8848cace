// time-limit: 300 s
// 24,000 malformed requests on Bun; on Node a sixth of them unless FUZZ=all is set. FUZZ_SEED=n replays.

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { held } from "./support/call.ts";
import { malformedRequests, type Request } from "./support/malformed.ts";
import { documentOf, routesOf } from "./support/openapi.ts";
import { type Server, startServer } from "./support/server.ts";

const BATCH = 500;
const ALL = process.versions["bun"] !== undefined || process.env["FUZZ"] === "all";
const REQUESTS = ALL ? 24_000 : 4_000;
const AT_ONCE = 16;
const SEED = Number(process.env["FUZZ_SEED"] ?? Math.floor(Math.random() * 2 ** 31));

test("malformed requests get a 4xx in the shape of an error, and leave the server as it was", {
  timeout: 240_000,
}, async (t) => {
  process.stdout.write(`FUZZ_SEED=${SEED}\n`);
  const server = await startServer(t, { settings: { queueMax: 0, finishedRetentionMs: 1 }, logLevel: "error" });
  const document = await documentOf(server);
  const requests = malformedRequests(document, routesOf(document));
  const statuses = new Map<number, number>();
  const sizes: number[] = [];
  // A leak grows on for ever, a heap only until it is warm: whoever has not come to rest yet gets another third, three times.
  for (let sent = 0; sent < REQUESTS || (ALL && !isFlat(sizes) && sent < 2 * REQUESTS); sent += BATCH) {
    const batch = fc.sample(requests, { numRuns: BATCH, seed: SEED + sent });
    await inParallel(batch, async (request) => {
      const status = await ask(server, request);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    });
    if ((sent / BATCH) % 4 === 3) sizes.push(await server.kept());
  }
  const said = [...statuses].sort(([a], [b]) => a - b).map(([status, count]) => `${status}: ${count}`);
  process.stdout.write(`${said.join(", ")}; RSS MB ${sizes.map((size) => Math.round(size / 1e6)).join(" ")}\n`);
  const refused = [...statuses].reduce((sum, [status, count]) => sum + (status >= 400 ? count : 0), 0);
  const asked = [...statuses.values()].reduce((sum, count) => sum + count, 0);
  assert.ok(refused > asked * 0.6, `only ${refused} of ${asked} were refused`);
  assert.doesNotMatch(server.program.stdout(), /"request failed"/);
  if (ALL) assert.ok(isFlat(sizes), `memory grew on: ${sizes.join(" ")}`);
});

async function ask(server: Server, request: Request): Promise<number> {
  const { method, path, headers, body } = request;
  let response: Response;
  try {
    response = await fetch(server.url + path, {
      method,
      headers,
      signal: AbortSignal.timeout(20_000),
      ...(body !== undefined && { body }),
    });
  } catch (error) {
    throw new Error(`no answer to ${told(request)}`, { cause: error });
  }
  if (response.status >= 500) assert.fail(`${response.status} to ${told(request)}: ${await response.text()}`);
  if (response.headers.get("content-type") === "text/event-stream") {
    await response.body?.cancel();
    return response.status;
  }
  try {
    await held(response);
  } catch (error) {
    throw new Error(`a wrong answer to ${told(request)}`, { cause: error });
  }
  return response.status;
}

function told({ method, path, headers, body }: Request): string {
  return JSON.stringify({ method, path, headers, body: body === undefined ? undefined : String(body) });
}

async function inParallel(requests: Request[], each: (request: Request) => Promise<void>): Promise<void> {
  let next = 0;
  const work = async () => {
    while (next < requests.length) await each(requests[next++] as Request);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

/** The last third is compared with the one before it, each by its lowest point. */
function isFlat(sizes: number[]): boolean {
  const third = Math.floor(sizes.length / 3);
  return Math.min(...sizes.slice(-third)) / Math.min(...sizes.slice(third, -third)) < 1.1;
}
