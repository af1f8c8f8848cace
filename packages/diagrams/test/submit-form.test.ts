// runtimes: bun or node
// The dashboard's form for a payload of several shapes: that of a diagram.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { z } from "zod";
import { draftOf, fieldsOf, type NamedField, payloadOf } from "../../millrace/dashboard/submit/schema.ts";
import { FORMATS } from "../src/api/formats.ts";
import { RenderPayload } from "../src/api/render.ts";

const asJson = (schema: z.ZodType) => z.toJSONSchema(schema, { io: "input" });

describe("a choice between shapes, as the payload of render is", () => {
  const render = asJson(RenderPayload);
  const keys = (draft = {}) => fieldsOf(render, draft)?.map(({ key }) => key);

  test("the word that tells them apart comes as a choice, and the fields are those of the chosen one", () => {
    const [format] = fieldsOf(render) as NamedField[];
    assert.deepEqual(format?.field, { type: "choice", options: [...FORMATS] });
    assert.equal(FORMATS[0], "mermaid");
    assert.ok(keys()?.includes("options.look") && !keys()?.includes("options.sketch"), "Mermaid's, the first");
    assert.ok(keys({ format: "d2" })?.includes("options.sketch") && !keys({ format: "d2" })?.includes("options.look"));
  });

  test("a payload of any shape goes in and out unchanged, and what belongs to another shape stays behind", () => {
    const payload = { format: "d2", source: "a -> b", outputType: "png", options: { theme: 200, sketch: true } };
    const draft = draftOf(render, payload);
    assert.deepEqual(payloadOf(fieldsOf(render, draft) ?? [], draft), { payload });
    const changed = { ...draft, format: "graphviz" };
    assert.deepEqual(payloadOf(fieldsOf(render, changed) ?? [], changed), {
      payload: { format: "graphviz", source: "a -> b", outputType: "png" },
    });
  });

  test("without a payload the first shape is chosen", () => {
    assert.deepEqual(draftOf(render, {}), { format: "mermaid", outputType: "svg" });
  });
});

test("a choice that another shape does not know is left behind with it", () => {
  const render = asJson(RenderPayload);
  const draft = { ...draftOf(render, { format: "mermaid", source: "a", options: { theme: "forest" } }), format: "d2" };
  const made = payloadOf(fieldsOf(render, draft) ?? [], draft);
  assert.deepEqual(made, { payload: { format: "d2", source: "a", outputType: "svg" } });
});
