import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Findings below `serious` are not judged, so the rules that can have no other are left out. */
const RUN = `axe.run({ resultTypes: ["violations"], preload: false, rules: Object.fromEntries(axe._audit.rules
  .filter(({ impact }) => impact === "minor" || impact === "moderate").map(({ id }) => [id, { enabled: false }])) })`;

interface Finding {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

/** axe finds nothing serious, and nothing is wider than the screen or squeezed. The page must be opened with `bypassCSP`. */
export async function sound(page: Page, name: string, width: number): Promise<void> {
  // A page that was reached by a link still has it.
  if (await page.evaluate("typeof axe === 'undefined'")) await page.evaluate(axe);
  const found = (await page.evaluate(RUN)) as { violations: Finding[] };
  const serious = found.violations.filter(({ impact }) => impact === "serious" || impact === "critical");
  const told = serious.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ html, failureSummary }) => `${html}\n${failureSummary}`).join("\n")}`,
  );
  assert.deepEqual(told, [], name);
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth);
  const squeezed = await page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>("td, th")]
      .filter(({ offsetWidth, offsetHeight }) => offsetHeight > 120 && offsetHeight > offsetWidth * 2)
      // One word in a high row is not squeezed: its own text is one line high.
      .filter((cell) => {
        const range = document.createRange();
        range.selectNodeContents(cell);
        return range.getBoundingClientRect().height > 120;
      })
      .map(({ textContent }) => textContent)
      // A cell without words is as high as its neighbours.
      .filter((words) => words !== ""),
  );
  assert.deepEqual(squeezed, [], `${name}: a column is too thin for its words`);
  assert.ok(overflow <= width, `${name} is ${overflow} pixels wide on a screen of ${width}`);
}
