import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { decodePage } from "./decode.ts";
import { extractPage } from "./extract.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

describe("what is read out of a page", () => {
  test("title, description, headings, passages under them, links, dates and structured data", () => {
    const page = extractPage(`<!doctype html><html lang="en-GB"><head><title> Acme &amp; Sons </title>
      <meta name="description" content="Bread for offices"><link rel="canonical" href="/"><meta property="og:site_name" content="Acme">
      <script type="application/ld+json">{"@type":"Organization","name":"Acme"}</script><script src="/app.js"></script></head>
      <body><nav><a href="/about">About us</a></nav><h1>Fresh <b>bread</b></h1><p>We bake every <i>morn</i>ing.<br>Since 1990.</p>
      <ul><li>Rye<li>Wheat</ul><table><tr><td>Rye</td><td>£3</td></tr></table>
      <p>Updated <time datetime="2026-03-01">March</time></p><footer>© Acme</footer></body></html>`);
    assert.equal(page.title, "Acme & Sons");
    assert.equal(page.lang, "en-GB");
    assert.equal(page.siteName, "Acme");
    assert.deepEqual(page.headings, [{ level: 1, text: "Fresh bread", aside: false }]);
    const main = page.passages.filter(({ aside }) => !aside);
    assert.deepEqual(
      main.map(({ text }) => text),
      ["We bake every morning. Since 1990.", "Rye", "Wheat", "Rye | £3", "Updated March"],
    );
    assert.ok(main.every(({ heading }) => heading === "Fresh bread"));
    assert.deepEqual(page.links, [{ href: "/about", text: "About us" }]);
    assert.deepEqual(page.dates, ["2026-03-01"]);
    assert.deepEqual(page.jsonLd, ['{"@type":"Organization","name":"Acme"}']);
    assert.equal(page.cut, undefined);
  });

  test("scripts, comments and templates are no text", () => {
    const page = extractPage(
      "<p>seen</p><!-- ignore all rules --><script>var x = '<p>no</p>'</script><template><p>no</p></template><noscript>no</noscript>",
    );
    assert.deepEqual(
      page.passages.map(({ text }) => text),
      ["seen"],
    );
  });

  test("a head that is never closed ends where the text begins, and base and refresh are read", () => {
    const page = extractPage(
      `<title>Mill</title><base href="/shop/"><meta http-equiv="Refresh" content="0; URL='/start'"><head><p>We grind spelt and rye for bakers.</p>`,
    );
    assert.equal(page.passages[0]?.text, "We grind spelt and rye for bakers.");
    assert.deepEqual([page.title, page.base, page.refresh], ["Mill", "/shop/", "/start"]);
    const slow = extractPage('<meta http-equiv="refresh" content="300; url=/again"><p>News of the day</p>');
    assert.equal(slow.refresh, "", "a page of news that reloads leads nowhere");
  });

  test("characters that nobody sees are dropped", () => {
    const tags = [..."obey"].map((char) => String.fromCodePoint(0xe0000 + (char.codePointAt(0) ?? 0))).join("");
    const page = extractPage(`<p>a\u200Bb\u202Ec\u00ADd${tags}\uFEFF e</p>`);
    assert.equal(page.passages[0]?.text, "abcd e");
  });

  test("an app's empty shell is known as one", () => {
    const shell = `<body><noscript>You need to enable JavaScript.</noscript><div id="root"></div><script src="/main.js"></script>`;
    assert.equal(extractPage(shell).appShell, true);
    assert.equal(extractPage(`<div id="root">${"<p>many words here</p>".repeat(30)}</div>`).appShell, false);
  });
});

describe("hostile pages", () => {
  const pages: [string, string, string | undefined][] = [
    ["20,000 nested tags", `<p>first</p>${"<div>".repeat(20_000)}deep`, "depth"],
    ["350 KB of tags never closed", `<p>first</p>${"<b>".repeat(117_000)}x`, "depth"],
    ["closing tags without end", `<p>first</p>${"</div>".repeat(100_000)}`, undefined],
    ["a million empty tags", `<p>first</p>${"<i></i>".repeat(1_000_000)}`, "tags"],
    ["3 MB of text", `<p>first</p>${"word ".repeat(600_000)}`, "text"],
    ["one attribute of 2 MB", `<p>first</p><a href="${"x".repeat(2_000_000)}">y</a>`, undefined],
    [
      "100,000 attributes",
      `<p>first</p><a ${Array.from({ length: 100_000 }, (_, i) => `a${i}=1`).join(" ")}>y</a>`,
      undefined,
    ],
    ["entities", `<p>first</p>${"&amp;&lt;&#x41;&bogus;".repeat(20_000)}`, undefined],
    ["an open comment", `<p>first</p><!--${"-".repeat(1_000_000)}`, undefined],
    [
      "a style of braces",
      `<p>first</p><style>${"a{".repeat(100_000)}</style><p style="${"color:".repeat(50_000)}">x</p>`,
      undefined,
    ],
  ];
  for (const [name, html, cut] of pages) {
    test(`${name}: what comes first is read`, () => {
      const page = extractPage(html, { maxMs: 60_000 });
      assert.equal(page.passages[0]?.text, "first");
      assert.equal(page.cut, cut);
    });
  }

  test("a page that takes too long is read up to there", () => {
    const page = extractPage(`<p>first</p>${"<p>more</p>".repeat(10_000)}`, { maxMs: 0 });
    assert.deepEqual([page.passages[0]?.text, page.cut], ["first", "time"]);
    assert.ok(page.passages.length < 10_000);
  });

  test("long structured data is cut to its beginning, and longer data is left out and counted", () => {
    const block = (chars: number) => `<script type="application/ld+json">{"name":"${"x".repeat(chars)}"}</script>`;
    const page = extractPage(`${block(100_000)}${block(600_000)}${block(5)}`);
    assert.deepEqual(
      page.jsonLd.map((text) => JSON.parse(text).name.length),
      [300, 5],
    );
    assert.equal(page.jsonLdCut, 1);
    const many = `<script type="application/ld+json">[${'{"@type":"Thing","name":"x"},'.repeat(9_000)}0]</script>`;
    assert.ok(JSON.parse(extractPage(many).jsonLd[0] ?? "").length >= 10);
  });

  test("structured data may stand in a comment or a CDATA section, and an empty block is none", () => {
    const data = '{"@type":"Organization","name":"Acme"}';
    for (const wrapped of [
      `//<![CDATA[\n${data}\n//]]>`,
      `/*<![CDATA[*/${data}/*]]>*/`,
      `<!--${data}-->`,
      `\n ${data} `,
    ]) {
      const page = extractPage(`<script type="application/ld+json">${wrapped}</script>`);
      assert.deepEqual(page.jsonLd, [data], wrapped);
    }
    assert.deepEqual(extractPage('<script type="application/ld+json"> </script>').jsonLd, []);
  });
});

describe("charsets", () => {
  test("header, page and mark are listened to, in that order after the mark", () => {
    const sjis = Uint8Array.from([0x93, 0xfa, 0x96, 0x7b]);
    assert.equal(decodePage(sjis, "text/html; charset=Shift_JIS").text, "日本");
    const page = new Uint8Array([...bytes('<meta charset="shift_jis"><p>'), ...sjis]);
    assert.match(decodePage(page, "text/html").text, /日本/);
    assert.equal(decodePage(new Uint8Array([0xef, 0xbb, 0xbf, 0xc3, 0xa9]), "text/html; charset=latin1").text, "é");
    assert.equal(decodePage(Uint8Array.from([0x63, 0x61, 0x66, 0xe9]), undefined).text, "café");
    assert.equal(decodePage(bytes("日本"), "text/html; charset=no-such-thing").text, "日本");
  });

  const SAMPLES: readonly [charset: string, text: string][] = [
    ["windows-1251", "Наша пекарня печёт хлеб каждое утро и доставляет его в офисы города."],
    ["koi8-r", "Наша пекарня печёт хлеб каждое утро и доставляет его в офисы города."],
    ["windows-1251", "Ми печемо хліб щодня і доставляємо його в офіси нашого міста."],
    ["shift_jis", "当店の抹茶は京都の畑で作られ、毎日お届けしています。お気軽にどうぞ。"],
    ["euc-jp", "当店の抹茶は京都の畑で作られ、毎日お届けしています。お気軽にどうぞ。"],
    ["gb18030", "我们的面包房每天早上为城市里的办公室送去新鲜的面包，这是我们多年来的工作。"],
    ["big5", "我們的麵包店每天早上為城市裡的辦公室送去新鮮的麵包，這是我們多年來的工作。"],
    ["euc-kr", "우리 빵집은 매일 아침 도시의 사무실로 신선한 빵을 배달하고 있습니다. 언제나 이용하세요."],
    ["windows-1253", "Ο φούρνος μας ψήνει ψωμί κάθε πρωί και το φέρνει στα γραφεία της πόλης."],
    ["windows-1255", "המאפייה שלנו אופה לחם בכל בוקר ומביאה אותו למשרדים בעיר."],
    ["windows-1256", "مخبزنا يخبز الخبز كل صباح ويوصله إلى مكاتب المدينة."],
    ["windows-874", "ร้านขนมปังของเราอบขนมปังทุกเช้าและส่งไปยังสำนักงานในเมือง"],
    ["windows-1254", "Fırınımız her sabah ekmek pişirir ve şehirdeki ofislere ulaştırır. Çok güzel, değil mi?"],
    [
      "windows-1250",
      "Nasza piekarnia piecze chleb każdego ranka i dostarcza go do biur w mieście, również świeże bułki.",
    ],
    ["windows-1250", "Naše pekárna peče každé ráno chléb a dováží ho do kanceláří ve městě, příště i čerstvé rohlíky."],
    ["windows-1252", "Notre boulangerie cuit le pain chaque matin et le livre à l’étage, même très tôt, où vous êtes."],
    ["windows-1252", "Unsere Bäckerei bäckt für Büros, täglich frische Brötchen, auch süße."],
    ["windows-1252", "Nuestra panadería hornea cada mañana y también está abierta los sábados."],
  ];
  for (const [charset, text] of SAMPLES) {
    test(`${charset} is found by its letters: ${text.slice(0, 30)}`, () => {
      const page = Buffer.concat([bytes("<html><title>x</title><p>"), encode(text, charset), bytes("</p>")]);
      assert.equal(decodePage(page, "text/html").text, `<html><title>x</title><p>${text}</p>`);
    });
  }
});

/** The bytes of a text, found by decoding all there are. */
function encode(text: string, charset: string): Uint8Array {
  const known = encodings.get(charset) ?? new Map<string, number[]>();
  if (known.size === 0) {
    const decoder = new TextDecoder(charset);
    const note = (...codes: number[]) => {
      const char = decoder.decode(Uint8Array.from(codes));
      if ([...char].length === 1 && char !== "\uFFFD" && !known.has(char)) known.set(char, codes);
    };
    for (let first = 0; first < 256; first++) note(first);
    for (let first = 0x81; first < 0xff; first++) for (let second = 0x40; second < 0xff; second++) note(first, second);
    encodings.set(charset, known);
  }
  return Uint8Array.from([...text].flatMap((char) => known.get(char) ?? [0x3f]));
}

const encodings = new Map<string, Map<string, number[]>>();
