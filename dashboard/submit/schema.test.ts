import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { draftOf, fieldsOf, type NamedField, payloadOf } from "./schema.ts";

const schema = z.object({
  to: z.string(),
  url: z.url().optional(),
  copies: z.int().min(1).optional(),
  urgent: z.boolean().optional(),
  format: z.enum(["html", "text"]).default("html"),
  lines: z.array(z.string()).optional(),
  nested: z.object({ a: z.number() }).optional(),
});
const fields = fieldsOf(z.toJSONSchema(schema, { io: "input" })) as NamedField[];

test("every part of an object gets the field that fits it", () => {
  const types = Object.fromEntries(fields.map(({ name, field }) => [name, field.type]));
  assert.deepEqual(types, {
    to: "text",
    url: "text",
    copies: "number",
    urgent: "switch",
    format: "choice",
    lines: "lines",
    nested: "json",
  });
  assert.deepEqual(
    fields.filter(({ required }) => required).map(({ name }) => name),
    ["to"],
  );
});

test("what has no named parts has no form", () => {
  assert.equal(fieldsOf(undefined), undefined);
  assert.equal(fieldsOf(z.toJSONSchema(z.unknown())), undefined);
  assert.equal(fieldsOf(z.toJSONSchema(z.string())), undefined);
});

test("a payload goes into the form and out of it unchanged", () => {
  const payload = { to: "a", copies: 2, urgent: true, format: "text", lines: ["x", "y"], nested: { a: 1 } };
  assert.deepEqual(payloadOf(fields, draftOf(fields, payload)), { payload });
  assert.deepEqual(payloadOf(fields, draftOf(fields, { to: "a" })), { payload: { to: "a", format: "html" } });
});

test("what cannot be read is named", () => {
  assert.deepEqual(payloadOf(fields, { to: "a", copies: "many" }), { problem: "copies is not a number." });
  assert.deepEqual(payloadOf(fields, { to: "a", nested: "{" }), { problem: "nested is not valid JSON." });
});
