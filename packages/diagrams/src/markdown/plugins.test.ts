import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type MarkdownItLike, type MarkdownNode, type MarkdownToken, markdownPlugins } from "./plugins.ts";

/** Draws by writing down what it was asked for. */
const { remarkDiagrams, markdownItDiagrams, drawDiagrams } = markdownPlugins(async (source, { format, options }) => {
  if (source.includes("broken")) throw new Error(`broken ${format}`);
  const data = `<svg>${format} ${JSON.stringify(options ?? {})} ${source.trim()}\n\n</svg>`;
  return { data, contentType: "image/svg+xml", width: 1, height: 1, warnings: [] };
});

const code = (lang: string | null, value: string): MarkdownNode => ({ type: "code", lang, value });

describe("the remark plugin", () => {
  test("draws blocks at any depth, and leaves other code as it is", async () => {
    const tree: MarkdownNode = {
      type: "root",
      children: [
        code("mermaid", "a"),
        {
          type: "list",
          children: [{ type: "listItem", children: [code("DOT", "b"), code("js", "c"), code(null, "d")] }],
        },
      ],
    };
    await remarkDiagrams({ options: { mermaid: { theme: "dark" } } })(tree);
    const [first, list] = tree.children ?? [];
    assert.deepEqual(first, { type: "html", value: '<svg>mermaid {"theme":"dark"} a\n</svg>' });
    const items = list?.children?.[0]?.children;
    assert.deepEqual(items, [{ type: "html", value: "<svg>graphviz {} b\n</svg>" }, code("js", "c"), code(null, "d")]);
  });

  test("draws pictures, and tells of errors or throws them", async () => {
    const tree: MarkdownNode = { type: "root", children: [code("d2", "a")] };
    await remarkDiagrams({ as: "img" })(tree);
    assert.match(tree.children?.[0]?.value ?? "", /^<img alt="diagram" src="data:image\/svg\+xml;base64,[\w+/=]+">$/);
    const broken: MarkdownNode = { type: "root", children: [code("d2", "broken")] };
    await assert.rejects(remarkDiagrams()(broken), { message: "broken d2" });
    const told: unknown[] = [];
    await remarkDiagrams({ onError: (error, source) => told.push([String(error), source]) })(broken);
    assert.deepEqual(told, [["Error: broken d2", "broken"]]);
    assert.deepEqual(broken.children, [code("d2", "broken")]);
  });
});

test("the markdown-it plugin shows what was drawn for its text, and code for everything else", async () => {
  const tokens: MarkdownToken[] = [
    { type: "fence", info: "mermaid", content: "a" },
    { type: "paragraph_open", info: "", content: "" },
    { type: "fence", info: "js", content: "b" },
  ];
  const md: MarkdownItLike = {
    parse: () => tokens,
    renderer: { rules: { fence: (all: MarkdownToken[], at: number) => `<pre>${all[at]?.content}</pre>` } },
  };
  markdownItDiagrams(md);
  const env = await drawDiagrams(md, "text");
  const shown = (at: number, of: object) => md.renderer.rules["fence"](tokens, at, {}, of, undefined);
  assert.equal(shown(0, env), "<svg>mermaid {} a\n</svg>\n");
  assert.equal(shown(2, env), "<pre>b</pre>");
  assert.equal(shown(0, {}), "<pre>a</pre>", "a text whose diagrams were not drawn");
});
