// time-limit: 200 s

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Format } from "../../src/api/formats.ts";
import { teach } from "../../src/fault/teach.ts";
import { faultIn } from "./support/draw.ts";

type Broken = readonly [format: Format, source: string, message: RegExp, line?: number, column?: number];

const BPMN = 'xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" targetNamespace="t"';

const BROKEN: readonly Broken[] = [
  ["nomnoml", "[a]->[b\n\n[", /^Expected "\]" but got end of file\.$/, 3, 1],
  ["wavedrom", "{ signal: [\n  { name: 'a' wave: 'p' }\n] }", /^This is not JSON: invalid character 'w'\.$/, 2, 15],
  ["wavedrom", "[1]", /is an object such as/],
  ["wavedrom", "{ signals: [] }", /needs "signal", "assign" or "reg"/],
  ["wavedrom", '{ signal: "p" }', /must be arrays/],
  ["pikchr", 'box\narrow; boox "x"', /^Syntax error\.$/, 2, 13],
  ["pikchr", "// nothing", /draws nothing/],
  ["bytefield", '(draw-column-headers\n(draw-box "a")', /^EOF while reading, expected \) to match \(.*\.$/, 2],
  ["bytefield", "(nothing-of-that-name)", /nothing-of-that-name/, 1],
  ["bytefield", '(draw-box "a < b")', /&lt;/],
  ["dbml", "Table a {\n  b int [pk\n}", /^Expect an identifier\.$/, 3, 1],
  ["dbml", "Table a {\n  b int [ref: > c.d]\n}", /c/, 2],
  ["dbml", "Project x { note: 'y' }", /no table/],
  ["statemachinecat", "a => b;\n x y", /^Expected .* but "x" found\.$/, 2, 2],
  ["railroad", 'a = "b" ;\nc = ( d , e ;', /^"\)" is missing, not ";"\.$/, 2, 13],
  ["railroad", "a = 'b", /quote \('\) is not closed/, 1, 5],
  ["railroad", 'a ::= "b"\n)', /cannot go on/, 2, 1],
  ["railroad", "(* only a comment *)", /no rule/],
  ["plantuml", "@startuml\nAlice -> Bob\nfoo bar baz\n@enduml", /^Syntax error\..*"sequence"\.$/, 3],
  ["plantuml", "Alice -> Bob\nfoo bar baz", /^Syntax error\./, 2],
  ["plantuml", "@startditaa\n+--+\n@endditaa", /^PlantUML draws no diagram of the type "ditaa" without Java\.$/],
  ["plantuml", "@startsalt\n{\n a\n}\n@endsalt", /"salt" without Java/],
  ["vega", '{\n  "width": 9,\n  "marks": [}\n}', /^This is not JSON: unexpected "}"\.$/, 3, 13],
  ["vega", '{ "width": 9', /ends too early/, 1, 13],
  ["vega", "{'a': 1}", /unexpected "'"/, 1, 2],
  ["vega", "[1]", /JSON object/],
  ["vega", '{"marks":[{"type":"nosuch"}]}', /not valid|nosuch/],
  ["vegalite", '{"mark":"bar","data":{"values":[1]},"encoding":{"x":{"field":"a","type":"nosuch"}},"layer":3}', /./],
  ["bpmn", "<a><b></a>", /This is not BPMN|[Cc]losing tag/, 1],
  ["bpmn", "flowchart LR", /./],
  ["bpmn", `<definitions ${BPMN}>\n<process id="p">\n</procexss></definitions>`, /^Closing tag mismatch\.$/, 3, 1],
  ["bpmn", `<definitions ${BPMN}><process id="p"/></definitions>`, /no process to draw/],
];

test("says what is wrong, in words for its author, and where", { timeout: 180_000 }, async () => {
  for (const [format, source, message, line, column] of BROKEN) {
    const fault = await faultIn(format, source);
    const shown = `${format}: ${source}: ${JSON.stringify(fault)}`;
    assert.match(fault.message, message, shown);
    if (line !== undefined) assert.equal(fault.line, line, shown);
    if (column !== undefined) assert.equal(fault.column, column, shown);
    assert.doesNotMatch(fault.message, /is not a function|Cannot read|undefined|\bjava\.|cljs|\bat \w+ \(/, shown);
    if (fault.line !== undefined) assert.match(teach(format, source, fault).excerpt ?? "", /\^/, shown);
  }
});
