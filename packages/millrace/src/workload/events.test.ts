import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { z } from "zod";
import type { Log } from "../telemetry/log/log.ts";
import { emitterOf } from "./events.ts";
import { defineWorkload } from "./workload.ts";

describe("an event of a workload", () => {
  const workload = defineWorkload({ name: "shop", events: { sold: z.strictObject({ id: z.string() }) } });

  test("carries the workload's name; one that is not declared, or does not fit, is not sent", () => {
    const sent: unknown[] = [];
    const logged: unknown[] = [];
    const log = { error: (event: string, fields: object) => logged.push({ event, ...fields }) } as unknown as Log;
    const emit = emitterOf(workload, (...event) => sent.push(event), log);
    emit("sold", { id: "1" }, { tenant: "a" });
    assert.deepEqual(sent, [["shop.sold", { id: "1" }, { tenant: "a" }]]);
    assert.throws(() => emit("bought", {}, { tenant: "a" }), /sends the undeclared event "bought"/);
    emit("sold", { id: 1 }, { tenant: "a" });
    assert.equal(sent.length, 1);
    assert.partialDeepStrictEqual(logged, [{ event: "event dropped", feedEvent: "shop.sold" }]);
  });
});
