import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { excerptOf } from "./excerpt.ts";
import { teach } from "./teach.ts";

describe("an excerpt", () => {
  test("has the line with a caret at its column", () => {
    assert.equal(excerptOf("a\n  b[c (d)]", 2, 6), "2 |   b[c (d)]\n  |      ^");
  });

  test("marks the whole line where the column is not known, and counts wide letters twice", () => {
    assert.equal(excerptOf("a\n  bc", 2, undefined), "2 |   bc\n  |   ^^");
    assert.equal(excerptOf("請求 x", 1, 4), "1 | 請求 x\n  |      ^");
  });

  test("is cut around its fault, and has no control characters", () => {
    const long = `${"x".repeat(300)}!${"y".repeat(300)}`;
    const [line = "", caret = ""] = (excerptOf(long, 1, 301) ?? "").split("\n");
    assert.ok(line.length < 120 && line.startsWith("1 | …") && line.endsWith("…"));
    assert.equal(line[caret.indexOf("^")], "!");
    assert.equal(excerptOf("a\tb\u001b[31m", 1, 3), "1 | a b\ufffd[31m\n  |   ^");
    assert.equal(excerptOf("a", 5, 1), undefined);
  });
});

describe("advice", () => {
  const advice = (
    format: "mermaid" | "d2" | "graphviz",
    source: string,
    message: string,
    line: number,
    column?: number,
  ) => teach(format, source, { message, line, ...(column !== undefined && { column }) }).advice;
  const LABEL = "expected ], ), |, }, >, a name or something else.";

  test("for a bracket in a label is the label in quotes", () => {
    const ask = (line: string, found: string, column: number) =>
      advice("mermaid", `flowchart LR\n${line}`, `Unexpected "${found}"; ${LABEL}`, 2, column);
    assert.equal(
      ask("  A[Azure OpenAI (Responses API)] --> B[x]", "(", 18),
      'Put the label in quotes: A["Azure OpenAI (Responses API)"].',
    );
    assert.equal(ask("  a[x] --> B(foo (bar))", "(", 18), 'Put the label in quotes: B("foo (bar)").');
    assert.equal(ask("  A-->|x (y)|B", "(", 11), 'Put the label in quotes: |"x (y)"|.');
    assert.equal(ask('  A{is "x"?} --> B', "x", 9), 'Put the label in quotes: A{"is #quot;x#quot;?"}.');
  });

  test("for other mistakes of Mermaid says what to write", () => {
    assert.match(
      advice("mermaid", "flowchart TD\n A --> end", 'Unexpected "end"; expected a name.', 2, 8) ?? "",
      /"end" closes a subgraph/,
    );
    assert.match(
      advice("mermaid", "flowchart TD\n A -> B", 'Unexpected "-"; expected an arrow.', 2, 4) ?? "",
      /two dashes/,
    );
    assert.match(
      advice(
        "mermaid",
        "sequenceDiagram\n A->>B hello",
        "Something is missing here; expected text after a colon.",
        2,
      ) ?? "",
      /after a colon/,
    );
    assert.match(
      advice("mermaid", "erDiagram\n A ||--o{ B", "Something is missing here; expected :.", 2) ?? "",
      /needs a label/,
    );
    assert.equal(
      teach("mermaid", "flowcart LR\n a", { message: 'Unknown diagram type "flowcart".' }).advice,
      "Did you mean flowchart?",
    );
  });

  test("for D2 and Graphviz as well", () => {
    assert.equal(advice("d2", "a: { shape: cylindre }", 'unknown shape "cylindre"', 1, 13), "Did you mean cylinder?");
    assert.match(
      advice("graphviz", "graph { a -> b }", "syntax error in line 1 near '->'", 1) ?? "",
      /a -- b\. Write digraph/,
    );
    assert.match(
      advice("graphviz", "digraph {\n a [label=x y]", "syntax error in line 2 near ']'", 2) ?? "",
      /several words in quotes/,
    );
    assert.match(advice("graphviz", "digraph {\n a -> b", "syntax error in line 2", 2) ?? "", /is not closed/);
  });

  test("takes a time that grows with the source alone", () => {
    for (const part of ["[", "(", "|", '"', "A[", "-->|", " ", "{", "/*", "<a>", "subgraph\n"]) {
      const line = part.repeat(50_000 / part.length);
      const startedAt = performance.now();
      for (const format of ["mermaid", "d2", "graphviz"] as const)
        advice(format, `flowchart LR\n${line}`, `Unexpected "("; ${LABEL}`, 2, 40_000);
      assert.ok(performance.now() - startedAt < 20_000, part);
    }
  });
});
