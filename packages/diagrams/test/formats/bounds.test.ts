// time-limit: 300 s
// What is written against the machine: files, addresses, programs without an end, and more than memory holds.

import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import type { Format } from "../../src/api/formats.ts";
import { createRenderers, RenderError, type Renderers } from "../../src/index.ts";
import { drawnOrFault, faultIn } from "./support/draw.ts";

const LONG_MS = 250_000;
// Not in /tmp, which is empty for a confined process.
const folder = mkdtempSync(fileURLToPath(new URL("../../../../node_modules/.formats-", import.meta.url)));
const stdlib = join(folder, "stdlib");
const secret = join(folder, "secret.puml");
const SECRET = "participant TopSecret";

let requests = 0;
const server = createServer((_, response) => {
  requests++;
  response.end('[{"a":1}]');
});
let address = "";
let renderers: Renderers;

before(async () => {
  mkdirSync(join(stdlib, "C4/parts"), { recursive: true });
  writeFileSync(secret, SECRET);
  writeFileSync(join(folder, "data.json"), '[{"a":"TopSecret"}]');
  writeFileSync(
    join(stdlib, "C4/C4_Container.puml"),
    "!include https://raw.example/C4-PlantUML/master/C4_Context.puml\n!procedure Container($a, $b)\nrectangle $b as $a\n!endprocedure\n",
  );
  writeFileSync(join(stdlib, "C4/C4_Context.puml"), "!procedure Person($a, $b)\nactor $b as $a\n!endprocedure\n");
  writeFileSync(join(stdlib, "C4/parts/More.puml"), "!include ./Rel.puml\n");
  writeFileSync(join(stdlib, "C4/parts/Rel.puml"), "!procedure Rel($a, $b)\n$a --> $b\n!endprocedure\n");
  symlinkSync(secret, join(stdlib, "C4/out.puml"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  renderers = createRenderers({ processes: 1, plantumlStdlib: stdlib });
});
after(async () => {
  await renderers.close();
  server.close();
  rmSync(folder, { recursive: true, force: true });
});

describe("files and addresses", () => {
  test("are not read, whatever a source says", { timeout: LONG_MS }, async () => {
    const place = (path: string) => [path, `file://${path}`, `../../../../../../../..${path}`];
    const data = place(join(folder, "data.json"));
    const sources: (readonly [Format, string])[] = [
      ...[...data, `${address}/x.json`].flatMap((url) => [
        [
          "vega",
          JSON.stringify({ data: [{ name: "d", url }], marks: [{ type: "text", from: { data: "d" } }] }),
        ] as const,
        ["vegalite", JSON.stringify({ data: { url }, mark: "text", encoding: { text: { field: "a" } } })] as const,
      ]),
      ["vega", JSON.stringify({ data: [{ name: "d", format: { type: "topojson" }, url: `${address}/t` }] })],
      ...[...place(secret), `${address}/x.puml`, "secret"].flatMap((name) => [
        ["plantuml", `@startuml\n!include ${name}\na -> b\n@enduml`] as const,
        ["plantuml", `@startuml\n!includeurl ${name}\na -> b\n@enduml`] as const,
        ["plantuml", `@startuml\n!import ${name}\na -> b : <img:${name}>\n@enduml`] as const,
        ["plantuml", `@startuml\n!$x = %load_json("${name}")\na -> b : $x %file_exists("${name}")\n@enduml`] as const,
      ]),
      ["dbml", `use * from '${secret}'\nTable a { b int }`],
      ["nomnoml", `#import: ${secret}\n[a]`],
      ["bytefield", `(slurp "${secret}")`],
      [
        "bpmn",
        `<!DOCTYPE d [<!ENTITY e SYSTEM "${secret}">]><definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" targetNamespace="t"><process id="p"><task id="t" name="&e;"/></process></definitions>`,
      ],
    ];
    for (const [format, source] of sources) {
      const drawing = await drawnOrFault(format, source);
      const shown = "fault" in drawing ? "" : drawing.svg;
      assert.doesNotMatch(shown, /TopSecret/, `${format}: ${source}`);
    }
    assert.equal(requests, 0);
  });

  test("that Vega's data would come from are named", async () => {
    const fault = await faultIn("vegalite", '{"data":{"url":"https://example.com/cars.json"},"mark":"bar"}');
    assert.equal(
      fault.message,
      'The data at "https://example.com/cars.json" is not loaded. Put it into the source as "values".',
    );
  });
});

describe("PlantUML's standard library", () => {
  const draw = async (source: string) => (await renderers.render(source, { format: "plantuml" })).data;
  const missing = async (source: string) => {
    const error = await renderers.render(source, { format: "plantuml" }).then(
      () => assert.fail("drawn"),
      (thrown: unknown) => thrown,
    );
    assert.ok(error instanceof RenderError);
    return error;
  };

  test("is read from its folder, with what its files include", { timeout: LONG_MS }, async () => {
    const svg = await draw(
      '@startuml\n!include <C4/C4_Container>\n!include <c4/parts/more>\nPerson(a, "Reader")\nContainer(b, "Shop")\nRel(a, b)\n@enduml',
    );
    assert.match(svg, /Reader/);
    assert.match(svg, /Shop/);
  });

  test("has no way out of its folder, and what it lacks is named", { timeout: LONG_MS }, async () => {
    for (const name of ["C4/out", "C4/../../secret", "../secret", "C4/Nothing", "nothing/Nothing"]) {
      const error = await missing(`@startuml\n!include <${name}>\na -> b\n@enduml`);
      assert.deepEqual([error.code, error.line], ["include-missing", 2], name);
      assert.ok(error.message.includes(`<${name}>`), error.message);
      assert.match(error.excerpt ?? "", /\^/);
    }
  });
});

describe("without an end, or beyond memory", () => {
  const ENDLESS: readonly (readonly [Format, string])[] = [
    ["bytefield", "(loop [] (recur))"],
    ["bytefield", "(doall (range))"],
    ["bytefield", '(doseq [i (range)] (draw-box "x"))'],
    ["plantuml", "@startuml\n!while true\n!endwhile\na -> b\n@enduml"],
    ["plantuml", "@startuml\n!function $f($x)\n!return $f($x + 1)\n!endfunction\na -> b : $f(1)\n@enduml"],
    ["vega", '{"data":[{"name":"d","transform":[{"type":"sequence","start":0,"stop":1e12}]}],"marks":[]}'],
    ["vega", '{"signals":[{"name":"a","update":"length(sequence(1e9))"}],"marks":[]}'],
    ["pikchr", "define x { box; x }\nx"],
  ];

  test("ends at the deadline, and the next diagram is drawn", { timeout: LONG_MS }, async () => {
    for (const [format, source] of ENDLESS) {
      const ended = await renderers.render(source, { format, timeoutMs: 2_000 }).then(
        () => "drawn",
        (error: unknown) => (error as RenderError).code,
      );
      assert.match(ended, /^(?:render-timeout|out-of-memory|render-failed|crashed)$/, `${format}: ${source}`);
    }
    const { data } = await renderers.render("[a] -> [b]", { format: "nomnoml" });
    assert.match(data, /^<svg/);
  });

  test("or as deep as no one writes: a sentence, in this process too", { timeout: LONG_MS }, async () => {
    const deep = 20_000;
    const DEEP: readonly (readonly [Format, string])[] = [
      ["nomnoml", "[a|".repeat(deep) + "]".repeat(deep)],
      ["wavedrom", `{ signal: ${"[".repeat(deep)}${"]".repeat(deep)} }`],
      ["railroad", `a = ${"(".repeat(deep)} "b" ${")".repeat(deep)} ;`],
      ["pikchr", "[".repeat(deep) + "]".repeat(deep)],
      ["bytefield", "(".repeat(deep) + ")".repeat(deep)],
      ["vega", `{"a":${"[".repeat(deep)}${"]".repeat(deep)}}`],
      ["dbml", `Table a { b int [note: ${"(".repeat(deep)}] }`],
      ["statemachinecat", `${"a { ".repeat(deep)}${"};".repeat(deep)}`],
      ["bpmn", `${"<a>".repeat(deep)}${"</a>".repeat(deep)}`],
    ];
    for (const [format, source] of DEEP) {
      const drawing = await drawnOrFault(format, source);
      if ("fault" in drawing) assert.doesNotMatch(drawing.fault.message, /stack|RangeError|undefined/i, format);
    }
  });
});
