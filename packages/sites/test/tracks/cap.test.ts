// runtimes: bun

import assert from "node:assert/strict";
import { test } from "node:test";
import { Testkit } from "../../../millrace/src/testing.ts";
import { trackRoutes } from "../../src/api/tracks.ts";
import { fetchPolicy } from "../../src/fetch/policy.ts";
import { trackHandlers } from "../../src/http/track-routes.ts";
import { SITE_DEFAULTS } from "../../src/settings.ts";
import { changeKind, trackKind } from "../../src/tracks/track-kind.ts";
import { TrackStore } from "../../src/tracks/track-store.ts";

test("a tenant has at most 200 tracks, and may change those that it has", async (t) => {
  const settings = { ...SITE_DEFAULTS, policy: fetchPolicy({}), stuckAfterMs: 1_000, retryBaseMs: 1 };
  const dependencies = { settings, engine: () => assert.fail("no look is run") };
  const kit = await Testkit.open({ kinds: [trackKind(dependencies), changeKind(dependencies)] });
  t.after(() => kit.stop());
  const store = new TrackStore(kit.millrace, "default");
  const body = { url: "http://example.com/", every: "7d" };
  const full = { ...body, promptCount: 10, maxPages: 10, samples: 3, webSearch: false };
  const createdAt = new Date().toISOString();
  for (let i = 0; i < 200; i++) await store.put(`track-${i}`, { ...full, createdAt });
  const route = trackHandlers(kit.millrace, settings).find(({ spec }) => spec === trackRoutes.putTrack);
  const put = (name: string) =>
    route?.handle({
      request: new Request("http://localhost/", {
        method: "PUT",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      }),
      params: { name },
      caller: { name: "test", tenant: "default", scopes: ["admin"] } as never,
      traceId: "trace",
      from: { address: undefined },
      basePath: "",
    });
  await assert.rejects(Promise.resolve(put("one-more")), { code: "conflict", message: /200 tracks/ });
  assert.equal((await put("track-7"))?.status, 200);
});
