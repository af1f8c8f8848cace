// runtimes: node
// time-limit: 300 s
// Sources that are meant to stop a renderer. In a process of its own each ends in a drawing, a fault or a kill at the
// deadline; none hangs beyond it and none writes anything else.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";

const DEADLINE_MS = 10_000;
const LONG_MS = 100_000;

type End =
  | { type: "drawn" }
  | { type: "fault"; message: string }
  | { type: "killed" }
  | { type: "crashed"; code: number | null };

function draw(source: string, format = "mermaid", outputType = "svg"): Promise<End> {
  const script = fileURLToPath(new URL("draw-one.ts", import.meta.url));
  const child = spawn(process.execPath, ["--max-old-space-size=1024", script, format, outputType], {
    stdio: ["pipe", "pipe", "ignore"],
    env: {},
  });
  let output = "";
  child.stdout.on("data", (chunk) => {
    output += chunk;
  });
  child.stdin.end(source);
  const timer = setTimeout(() => child.kill("SIGKILL"), DEADLINE_MS);
  return new Promise((done) => {
    child.once("close", (code, signal) => {
      clearTimeout(timer);
      if (signal === "SIGKILL") return done({ type: "killed" });
      if (code !== 0 || output === "") return done({ type: "crashed", code });
      const answer = JSON.parse(output) as { fault?: { message: string } };
      done(answer.fault === undefined ? { type: "drawn" } : { type: "fault", message: answer.fault.message });
    });
  });
}

const random = (seed: number) => () => {
  seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
  return seed;
};

function edges(count: number, nodes: number): string {
  const next = random(7);
  return `flowchart TD\n${Array.from({ length: count }, () => `  n${next() % nodes} --> n${next() % nodes}`).join("\n")}`;
}

const SOURCES: Readonly<Record<string, string>> = {
  "499 random edges": edges(499, 200),
  "a word of 40,000 letters": `flowchart LR\n  a[${"x".repeat(40_000)}]`,
  "8,000 words": `flowchart LR\n  a["${"word ".repeat(8000)}"]`,
  "HTML labels from front matter, with an image":
    "---\nconfig:\n  htmlLabels: true\n---\nflowchart LR\n  a[\"<img src='x'>\"]",
  "an image node": 'flowchart LR\n  a@{ img: "https://evil.example/x.png", label: "x" }',
  "aliases of aliases": `---\nconfig:\n  a: &a [x,x,x,x,x,x,x,x]\n  b: &b [*a,*a,*a,*a,*a,*a,*a,*a]\n  c: &c [*b,*b,*b,*b,*b,*b,*b,*b]\n  d: &d [*c,*c,*c,*c,*c,*c,*c,*c]\n  e: [*d,*d,*d,*d,*d,*d,*d,*d]\n---\nflowchart LR\n  a`,
  "a tick for every millisecond":
    "gantt\n  dateFormat YYYY-MM-DD\n  tickInterval 1millisecond\n  section A\n  a :2020-01-01, 3650d",
  "every day excluded":
    "gantt\n  dateFormat YYYY-MM-DD\n  excludes monday tuesday wednesday thursday friday saturday sunday\n  a :2020-01-01, 3d",
  "300 nested subgraphs": `flowchart LR\n${Array.from({ length: 300 }, (_, at) => `subgraph s${at}\n`).join("")}a\n${"end\n".repeat(300)}`,
  "prototype pollution":
    "---\nconfig:\n  __proto__:\n    polluted: 1\n  constructor:\n    prototype:\n      polluted: 1\n---\nflowchart LR\n  __proto__ --> constructor",
};

describe("a hostile source", () => {
  for (const [name, source] of Object.entries(SOURCES))
    test(`${name}: ends by the deadline`, { timeout: LONG_MS }, async () => {
      const end = await draw(source);
      assert.notEqual(end.type, "crashed", JSON.stringify(end));
    });

  test("an endless D2 program ends by the deadline", { timeout: LONG_MS }, async () => {
    const end = await draw(Array.from({ length: 3000 }, (_, at) => `a${at} -> a${(at * 7) % 3000}`).join("\n"), "d2");
    assert.ok(["killed", "drawn", "fault"].includes(end.type), JSON.stringify(end));
  });
});
