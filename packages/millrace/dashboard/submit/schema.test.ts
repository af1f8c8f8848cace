import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { z } from "zod";
import { draftOf, errorsByField, fieldsOf, fitsForm, type NamedField, payloadOf } from "./schema.ts";

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

test("what must be there and can be one thing only is there; a box not ticked says no", () => {
  const only = asJson(z.object({ version: z.literal("v1"), mode: z.enum(["fast", "slow"]), agree: z.boolean() }));
  const draft = draftOf(only, undefined);
  assert.deepEqual(payloadOf(fieldsOf(only, draft) ?? [], draft), { payload: { version: "v1", agree: false } });
});

test("numbers to choose from are a choice, and stay numbers", () => {
  const rated = asJson(
    z.object({ stars: z.union([z.literal(1), z.literal(2), z.literal(3)]), size: z.literal([10, 20]) }),
  );
  const draft = draftOf(rated, { stars: 2, size: 20 });
  const fields = fieldsOf(rated, draft) ?? [];
  assert.deepEqual(
    fields.map(({ field }) => "options" in field && field.options),
    [
      ["1", "2", "3"],
      ["10", "20"],
    ],
  );
  assert.deepEqual(payloadOf(fields, draft), { payload: { stars: 2, size: 20 } });
});

test("a text where anything may stand stays a text", () => {
  const open = asJson(z.object({ value: z.union([z.string(), z.number()]), any: z.unknown() }));
  for (const payload of [
    { value: "hello", any: "42" },
    { value: 7, any: { a: "true" } },
  ])
    assert.deepEqual(payloadOf(fieldsOf(open) ?? [], draftOf(open, payload)), { payload });
});

test("what the form would lose does not fit it", () => {
  const open = asJson(z.looseObject({ a: z.string().nullable(), list: z.array(z.string()).optional() }));
  assert.equal(fitsForm(open, { a: "x", list: ["y"] }), true);
  for (const lost of [{ a: null }, { a: "x", more: 1 }, { a: "" }, { a: "x", list: ["y\nz", ""] }])
    assert.equal(fitsForm(open, lost), false);
});
