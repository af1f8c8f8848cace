import { around, type Block } from "../block.ts";
import { namesDisclosure } from "./hints.ts";
import { isProse } from "./totals.ts";

/** Where this share of the running text is collapsed, the page waits for consent or a script and then shows all of it. */
const GATED = 0.8;

/**
 * What a visitor sees at once or can open: answers under questions, accordions, tabs, "read more". Collapsed menus, dialogs and
 * messages of forms are left out.
 */
export function disclosed(blocks: readonly Block[]): Block[] {
  const collapsed = blocks.filter((block) => block.isCollapsed && isProse(block) && !isInDialog(block));
  const seen = blocks.filter((block) => !block.isCollapsed && isProse(block));
  const isGated = charsOf(collapsed) > (charsOf(collapsed) + charsOf(seen)) * GATED;
  let asked = false;
  return blocks.filter((block) => {
    if (block.isCollapsed) return (isGated && !isInDialog(block)) || (isProse(block) && (asked || isDisclosure(block)));
    asked = /[?？؟;]$/u.test(block.text) && block.text.length < 200;
    return true;
  });
}

function isDisclosure({ box }: Block): boolean {
  for (const each of around(box)) if (each.name === "details" || namesDisclosure(each.hint)) return true;
  return false;
}

function isInDialog({ box }: Block): boolean {
  for (const each of around(box)) if (each.name === "dialog") return true;
  return false;
}

function charsOf(blocks: readonly Block[]): number {
  return blocks.reduce((sum, { text, linkChars }) => sum + text.length - linkChars, 0);
}
