import assert from "node:assert/strict";
import { test } from "node:test";
import { diagramBlocks, withPictures } from "./blocks.ts";

const FILE = `# Title

\`\`\`mermaid
flowchart LR
  a --> b
\`\`\`

- a list

  ~~~d2
  a -> b
    c
  ~~~

1. one
   \`\`\`dot
   digraph { a }
   \`\`\`

> quoted
> \`\`\`graphviz
> digraph { q }
> \`\`\`

- \`\`\`mermaid
  pie title Pets
    "a" : 1
  \`\`\`

\`\`\`\`md
\`\`\`mermaid
inside of a longer fence
\`\`\`
\`\`\`\`

    \`\`\`mermaid
    code by its indentation
    \`\`\`

\`\`\`js
const a = "\`\`\`mermaid";
\`\`\`

\`\`\`{.mermaid}
sequenceDiagram
`;

test("blocks are found at the top, in lists and in quotes, with both kinds of fences", () => {
  const found = diagramBlocks(FILE).map(({ format, source, line }) => [format, source, line]);
  assert.deepEqual(found, [
    ["mermaid", "flowchart LR\n  a --> b", 4],
    ["d2", "a -> b\n  c", 11],
    ["graphviz", "digraph { a }", 17],
    ["graphviz", "digraph { q }", 22],
    ["mermaid", 'pie title Pets\n  "a" : 1', 26],
    ["mermaid", "sequenceDiagram\n", 45],
  ]);
});

test("every line of a source is a line of the file", () => {
  const lines = FILE.split("\n");
  for (const { source, line } of diagramBlocks(FILE))
    for (const [at, text] of source.split("\n").entries()) assert.ok(lines[line - 1 + at]?.endsWith(text), text);
});

test("a picture takes the place of its block, and a block without one stays", () => {
  const text = "- ```mermaid\r\n  pie title Pets [all]\r\n  ```\r\n\r\n```dot\r\ngraph {}\r\n```\r\n";
  const [first, second] = diagramBlocks(text);
  assert.ok(first && second);
  assert.equal(
    withPictures(text, new Map([[first, "./a-1.svg"]])),
    "- ![Pets all](./a-1.svg)\r\n\r\n```dot\r\ngraph {}\r\n```\r\n",
  );
  assert.equal(withPictures(text, new Map()), text);
  assert.equal(
    withPictures(text, new Map([[second, "b.svg"]]))
      .split("\r\n")
      .at(-2),
    "![diagram](b.svg)",
  );
});

test("a file of fences alone is read in a time that grows with its length", () => {
  for (const part of ["```mermaid\n", "- ", "> ", "```", "~~~\n", "1. "]) {
    const startedAt = performance.now();
    diagramBlocks(part.repeat(100_000 / part.length));
    assert.ok(performance.now() - startedAt < 20_000, part);
  }
});
