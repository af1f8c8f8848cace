import assert from "node:assert/strict";
import { test } from "node:test";
import { cleanLabel } from "./labels.ts";

test("labels keep their words and plain markup", () => {
  const same = ["a & b", "x &lt; y", "a <b>bold</b> word", "one<br>two"];
  for (const label of same) assert.equal(cleanLabel(label), label);
  assert.equal(cleanLabel("1 < 2 and 3 > 2"), "1 &lt; 2 and 3 &gt; 2");
});

test("labels lose scripts, handlers and addresses", () => {
  const dirty = [
    "<script>alert(1)</script>ok",
    "<img src=x onerror=alert(1)>ok",
    "<b onclick='alert(1)'>ok</b>",
    "<a href='javascript:alert(1)'>ok</a>",
    "<svg onload=alert(1)><path d='M0 0' onclick='x'/></svg>ok",
    "<style>@import 'x'</style>ok",
    "<iframe src=javascript:alert(1)></iframe>ok",
    "<math><mi xlink:href='javascript:alert(1)'>x</mi></math>ok",
    "<!--<b>-->ok",
    "<scr<script>ipt>alert(1)</scr</script>ipt>ok",
  ];
  for (const label of dirty) {
    const clean = cleanLabel(label);
    assert.match(clean, /ok/, label);
    assert.doesNotMatch(clean, /<(?:script|iframe|style|math)|\ssrc=|\son\w+=|javascript:/i, label);
  }
});
