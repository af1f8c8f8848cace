// runtimes: node
// time-limit: 300 s
// Labels beside those of Mermaid's defaults in a real Chromium: the same letters, the same lines, the same size of the drawing.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { chromiumForTests } from "../../../test/support/chromium.ts";
import { MermaidEngine } from "../src/mermaid/engine.ts";
import { renderDiagram } from "../src/render.ts";
import { ReferenceBrowser } from "./support/reference/browser.ts";
import { compareLetters } from "./support/reference/letters.ts";

const engine = new MermaidEngine();
const LONG_MS = 200_000;
let browser: ReferenceBrowser;
before(async () => {
  await chromiumForTests();
  browser = await ReferenceBrowser.start();
});
after(() => browser.stop());

const node = (label: string) => `flowchart LR\n  a["${label}"]`;
const edge = (label: string) => `flowchart LR\n  a -->|"${label}"| b`;

/** What differs from the browser's, in words; empty where nothing does. */
async function differences(source: string, { mostPx = 1 } = {}): Promise<string> {
  const reference = await browser.mermaid(source);
  assert.ok(reference !== undefined, `Mermaid refuses ${source}`);
  const rendered = await renderDiagram(engine, source, {});
  if ("fault" in rendered) return rendered.fault.message;
  const theirs = await browser.lettersOf(reference);
  const ours = await browser.lettersOf(rendered.svg);
  const { same, sameLines, farthestPx } = compareLetters(ours, theirs);
  const text = ({ letters }: typeof ours) => letters.map(([letter]) => letter).join("");
  if (!same) return `letters: ${text(ours)} | ${text(theirs)}`;
  if (!sameLines) return "lines";
  const offPx = Math.max(Math.abs(rendered.width - theirs.width), Math.abs(rendered.height - theirs.height));
  if (offPx > mostPx) return `size: ${rendered.width} x ${rendered.height} | ${theirs.width} x ${theirs.height}`;
  return farthestPx > 2 ? `a line is ${farthestPx.toFixed(1)} px away` : "";
}

async function assertSame(sources: Readonly<Record<string, string>>): Promise<void> {
  const found: string[] = [];
  for (const [name, source] of Object.entries(sources)) {
    const said = await differences(source);
    if (said !== "") found.push(`${name}: ${said}`);
  }
  assert.deepEqual(found, []);
}

describe("labels are those of Mermaid's defaults", () => {
  test("with signs that are markup elsewhere", { timeout: LONG_MS }, async () => {
    await assertSame({
      comparison: node("Count >= 3 and x < y"),
      arrows: node("OTel -> Foundry >> out << in"),
      entities: node("&#40Envoy&#41 &amp; &euro; #35; #quot;q#quot;"),
      "a closing break": node("one</br>two"),
      tilde: "classDiagram\n  class A~T~ {\n    List~int~ get(Map~K,V~ x)\n  }",
      "generic ER": "erDiagram\n  A {\n    List~T~ x PK\n  }",
      "class note": 'classDiagram\n  class A\n  note for A "see [Domain] (and <b>this</b>)"',
      "URL in a mindmap": "mindmap\n  root\n    https://example.com/a?b=c",
      "e-mail": "mindmap\n  root\n    me@example.com",
    });
  });

  test("with styles inside", { timeout: LONG_MS }, async () => {
    await assertSame({
      bold: node("a <b>bold</b> <i>italic</i> word"),
      code: node("call <code>f(x)</code> now"),
      "sub and sup": node("H<sub>2</sub>O and x<sup>3</sup>"),
      small: node("<small>small</small> and <big>big</big>"),
      colour: node("<span style='color:red;font-size:20px'>red</span> rest"),
      "font tag": node("<font color='blue' size='5'>blue</font>"),
      heading: node("<h2>Title</h2>text below"),
      link: node("see <a href='https://example.com'>this page</a>"),
      list: node("<ul><li>one</li><li>two words</li></ul>"),
      "markdown string": 'flowchart LR\n  a["`**bold** and *italic*\nnext line`"]',
      "on an edge": edge("<b>yes</b> or<br>no"),
    });
  });

  test("broken where a browser breaks them", { timeout: LONG_MS }, async () => {
    await assertSame({
      "long word": node("JwtAuthenticationConverter"),
      "long word among others": node("the shopping.order.created.event.v1 topic"),
      path: node("packages/contracts/src/generated/index.ts"),
      URL: node("https://example.com/a/very/long/path?with=query&and=more#fragment"),
      hyphens: node("a state-of-the-art well-known end-to-end thing"),
      Chinese: node("面向对象程序设计语言的基本特征是封装、继承和多态。"),
      Japanese: node("オブジェクト指向プログラミング言語の基本的な特徴について"),
      Korean: node("객체 지향 프로그래밍 언어의 기본적인 특징은 캡슐화입니다"),
      "many spaces": node("one  two   three    four     five      six"),
      breaks: node("one<br>two<br/><br>four\\nfive"),
      edge: edge("a label on an edge that is long enough to be broken"),
    });
  });

  test("in sequences with letters that are higher than a line", { timeout: LONG_MS }, async () => {
    const sequence = (text: string) =>
      `sequenceDiagram\n  participant A as ${text}\n  A->>A: ${text}\n  Note over A: ${text}`;
    await assertSame({
      Burmese: sequence("ဖောက်သည်"),
      Punjabi: sequence("ਹੋਸਟ ਐਪ"),
      Arabic: sequence("نعم"),
      Korean: sequence("만료 60초"),
      emoji: sequence("✅ done 💥"),
    });
  });

  test("in every kind of diagram", { timeout: LONG_MS }, async () => {
    await assertSame({
      state:
        "stateDiagram-v2\n  [*] --> Still : a transition with a label\n  Still --> [*]\n  note right of Still : a note",
      class:
        "classDiagram\n  Animal <|-- Duck : extends\n  class Duck {\n    <<interface>>\n    +String beak\n    +swim(int depth) bool\n  }",
      er: 'erDiagram\n  CUSTOMER ||--o{ ORDER : "places an order"\n  CUSTOMER {\n    string name "the full name"\n  }',
      kanban: "kanban\n  Todo\n    id1[Write the documentation of everything]@{ assigned: 'me' }",
      journey: "journey\n  title A day\n  section Go to work\n    Make some tea: 5: Me, Cat",
      requirement: "requirementDiagram\n  requirement r {\n    id: 1\n    text: the text.\n    risk: high\n  }",
      subgraph: "flowchart TB\n  subgraph one [A title with several words in it]\n    a --> b\n  end",
      xychart:
        "---\nconfig:\n  xyChart:\n    width: 900\n---\nxychart\n  title Sales\n  x-axis [jan, feb]\n  bar [5, 6]",
      "htmlLabels off": '---\nconfig:\n  htmlLabels: false\n---\nflowchart LR\n  a["one two"] -->|x| b',
    });
  });
});
