import assert from "node:assert/strict";
import { test } from "node:test";
import { wilson } from "../analysis/wilson.ts";
import type { Report } from "../api/report.ts";
import { reportCsv } from "./csv.ts";
import { html, link } from "./markup.ts";
import { dollars, kOfN } from "./words.ts";

test("all that is put into markup is text, unless it is markup", () => {
  assert.equal(
    html`<p title="${'"><script>'}">${"<b>&'"}${html`<i>${"<"}</i>`}${[html`<u>`, "<"]}${undefined}${false}</p>`.text,
    '<p title="&quot;&gt;&lt;script&gt;">&lt;b&gt;&amp;&#39;<i>&lt;</i><u>&lt;</p>',
  );
  for (const url of ["javascript:alert(1)", "data:text/html,x", " https://x", "//evil.example", "http://"])
    assert.doesNotMatch(link(url).text, /<a /, url);
  assert.equal(
    link('https://example.com/"x').text,
    '<a href="https://example.com/&quot;x" rel="nofollow noopener noreferrer">https://example.com/&quot;x</a>',
  );
});

test("a table holds no formula, whatever an answer says", () => {
  const answer = (text: string) => ({
    callKey: text,
    promptId: "p1",
    model: { ref: "server/x" },
    sample: 1,
    mode: "model",
    grounded: false,
    status: "ok",
    text,
    sources: [],
    costUsd: null,
    ms: 1,
    attempts: 1,
  });
  const texts = ['=HYPERLINK("http://evil.example")', "+1", "-2", "@SUM(A1)", "\t=1", "  =1", 'say "hi",\nplease'];
  const report = {
    mode: "model",
    answers: texts.map(answer),
    prompts: { prompts: [{ id: "p1", text: "=cmd", intent: "fact", branded: false }] },
    findings: [],
    coverage: [],
  } as unknown as Report;
  const csv = reportCsv(report);
  assert.doesNotMatch(csv, /(?:^|,|\n)"?\s*[=+@](?!\d*,)/m);
  assert.match(csv, /"'=HYPERLINK\(""http:\/\/evil\.example""\)"/);
  assert.match(csv, /"say ""hi"",\nplease"/);
  assert.ok(csv.startsWith("\uFEFFprompt id,"));
});

test("shares come with their denominator and an honest interval", () => {
  const rounded = (k: number, n: number) =>
    [wilson(k, n).low, wilson(k, n).high].map((share) => Math.round(share * 100));
  assert.deepEqual(rounded(1, 1), [21, 100]);
  assert.deepEqual(rounded(3, 10), [11, 60]);
  assert.deepEqual(rounded(60, 200), [24, 37]);
  assert.deepEqual(wilson(0, 0), { low: 0, high: 1 });
  assert.equal(kOfN({ k: 9, n: 30, ...wilson(9, 30) }), "9 of 30 · 17–48 %");
  assert.deepEqual(
    [dollars(null), dollars(0), dollars(0.0012), dollars(1.5)],
    ["cost unknown", "$0.00", "$0.0012", "$1.50"],
  );
});
