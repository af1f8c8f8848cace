// A test whose assertion fails before it stops its kit.

import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { defineKind } from "../../../packages/millrace/src/index.ts";
import { Testkit } from "../../../packages/millrace/src/testing.ts";

const module = new URL("../modules/speaks.ts", import.meta.url);

test("fails before it stops its kit", async () => {
  const kind = defineKind({ name: "speaks", payload: z.null(), isolation: "process", module });
  const kit = await Testkit.open({ kinds: [kind] });
  assert.equal(await kit.run(kind, null), "something else");
  await kit.stop();
});
