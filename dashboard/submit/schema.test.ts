import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { z } from "zod";
import { RenderPayload } from "../../src/api/render.ts";
import { draftOf, errorsByField, fieldsOf, type NamedField, payloadOf } from "./schema.ts";

const asJson = (schema: z.ZodType) => z.toJSONSchema(schema, { io: "input" });

const schema = asJson(
  z.object({
    to: z.string(),
    url: z.url().optional(),
    copies: z.int().min(1).optional(),
    urgent: z.boolean().optional(),
    format: z.enum(["html", "text"]).default("html"),
    note: z.string().nullable().optional(),
    lines: z.array(z.string()).optional(),
    pairs: z.array(z.object({ a: z.number() })).optional(),
    from: z.object({ name: z.string(), age: z.int().optional() }),
    limits: z.object({ most: z.number(), unit: z.enum(["mb", "gb"]).default("mb") }).optional(),
    free: z.record(z.string(), z.number()).optional(),
  }),
);
const fields = fieldsOf(schema) as NamedField[];

describe("an object of named parts", () => {
  test("every part gets the field that fits it, parts within parts included", () => {
    assert.deepEqual(Object.fromEntries(fields.map(({ key, field }) => [key, field.type])), {
      to: "text",
      url: "text",
      copies: "number",
      urgent: "switch",
      format: "choice",
      note: "text",
      lines: "lines",
      pairs: "json",
      "from.name": "text",
      "from.age": "number",
      "limits.most": "number",
      "limits.unit": "choice",
      free: "json",
    });
  });

  test("only what the server would miss is required: nothing within a part that may be left out", () => {
    const required = fields.filter((field) => field.required).map(({ key }) => key);
    assert.deepEqual(required, ["to", "from.name"]);
  });

  test("a payload goes into the form and out of it unchanged", () => {
    const payload = {
      ...{ to: "a", copies: 2, urgent: true, format: "text", note: "n", lines: ["x", "y"], pairs: [{ a: 1 }] },
      ...{ from: { name: "b" }, limits: { most: 3, unit: "gb" }, free: { x: 1 } },
    };
    assert.deepEqual(payloadOf(fields, draftOf(schema, payload)), { payload });
  });

  test("defaults are filled in, but none of a part that is left out", () => {
    const given = { to: "a", from: { name: "b" } };
    assert.deepEqual(payloadOf(fields, draftOf(schema, given)), { payload: { ...given, format: "html" } });
    const withLimits = { ...given, limits: { most: 1 } };
    assert.deepEqual(payloadOf(fields, draftOf(schema, withLimits)), {
      payload: { ...given, format: "html", limits: { most: 1, unit: "mb" } },
    });
  });

  test("what cannot be read is named", () => {
    assert.deepEqual(payloadOf(fields, { "limits.most": "many" }), { problem: "limits.most is not a number." });
    assert.deepEqual(payloadOf(fields, { free: "{" }), { problem: "free is not valid JSON." });
  });

  test("a complaint is shown at its field, one from the depth of a part at that part", () => {
    const issues = [
      { path: "payload.from.name", message: "is too short" },
      { path: "payload.pairs.0.a", message: "must be a number" },
      { path: "payload.unknown", message: "is not known" },
    ];
    assert.deepEqual(Object.fromEntries(errorsByField(fields, issues)), {
      "from.name": "is too short",
      pairs: "must be a number",
    });
  });
});

describe("a choice between shapes, as the payload of render is", () => {
  const render = asJson(RenderPayload);
  const keys = (draft = {}) => fieldsOf(render, draft)?.map(({ key }) => key);

  test("the word that tells them apart comes as a choice, and the fields are those of the chosen one", () => {
    const [format] = fieldsOf(render) as NamedField[];
    assert.deepEqual(format?.field, { type: "choice", options: ["mermaid", "d2", "graphviz"] });
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

test("what has no named parts has no form, nor have shapes that no word tells apart", () => {
  assert.equal(fieldsOf(undefined), undefined);
  for (const shapeless of [
    z.unknown(),
    z.string(),
    z.object({}),
    z.union([z.object({ a: z.string() }), z.object({ b: z.string() })]),
  ])
    assert.equal(fieldsOf(asJson(shapeless)), undefined);
});

test("what holds itself ends as JSON", () => {
  const Tree = z.object({
    name: z.string(),
    get child() {
      return Tree.optional();
    },
  });
  const json = (schema: z.ZodType) => fieldsOf(asJson(schema))?.filter(({ field }) => field.type === "json");
  assert.deepEqual(
    json(Tree)?.map(({ key }) => key),
    ["child"],
  );
  assert.deepEqual(
    json(z.object({ tree: Tree }))?.map(({ key }) => key),
    ["tree.child.child.child"],
  );
});
