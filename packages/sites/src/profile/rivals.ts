// Companies that a site sets itself against. A name in the figures that is no rival does more harm than a missing one, so a
// doubtful name is dropped.

import type { SiteProfile } from "../api/shapes.ts";
import type { KeptPage } from "../crawl/page.ts";
import { grammarOf } from "./subjects/grammar.ts";
import { bodyOf, distinct, found, headingsOf } from "./text-of.ts";

const NAME = String.raw`((?:\p{Lu}[\p{L}\p{N}&.+-]{1,30})(?: \p{Lu}[\p{L}\p{N}&.+-]{1,30}){0,2})`;
/** The words a site uses for a rival, before its name. */
const BEFORE =
  "[Aa]lternatives? to|[Cc]ompared? (?:to|with)|[Uu]nlike|[Ii]nstead of|[Ss]witch(?:ing)? from|[Mm]igrat(?:e|ing) from|vs\\.?|versus|im Vergleich zu|Alternative zu|[Aa]nders als|[Cc]ontrairement à|[Pp]ar rapport à|[Aa]lternative à|[Aa] diferencia de|[Aa]lternativa a|[Aa] differenza di|[Ii]n tegenstelling tot|[Aa]lternatief voor";
const RIVAL = new RegExp(String.raw`(?<![\p{L}\p{N}])(?:${BEFORE})\s+${NAME}`, "gu");

export function rivalsNamedOn(
  pages: readonly KeptPage[],
  own: readonly string[],
  lang: string,
): SiteProfile["rivalsNamed"] {
  const grammar = grammarOf(lang);
  const names = own.map((name) => name.toLowerCase());
  const body = pages.flatMap(bodyOf).map((text) => text.slice(0, 5_000));
  const heads = new Set(pages.flatMap(headingsOf).map((text) => text.toLowerCase()));
  const isRival = (name: string) => {
    const folded = name.toLowerCase();
    const words = folded.split(" ");
    if (names.some((each) => each.includes(folded) || folded.includes(each))) return false;
    // A common noun, or a thing that the site itself has a heading for.
    if (words.some((word) => grammar.isSmall(word) || grammar.isFiller(word) || grammar.opens(word))) return false;
    if (heads.has(folded) || body.some((text) => text.includes(folded))) return false;
    // Short capitals are most often a technical word: OEM, ROI.
    return !/^[\p{Lu}\p{N}]{2,4}$/u.test(name) && !/^\p{Lu}\p{Ll}?\p{Lu}\p{Ll}{2}$/u.test(name);
  };
  const all = pages.flatMap((page) =>
    [page.title, ...headingsOf(page), ...bodyOf(page)]
      .filter(isSentenceCase)
      .flatMap((text) =>
        [...text.slice(0, 5_000).matchAll(RIVAL)].map((match) =>
          found(page, (match[1] ?? "").replace(/[.,]+$/, ""), text),
        ),
      ),
  );
  return distinct(all)
    .filter(({ text }) => isRival(text))
    .slice(0, 10)
    .map(({ text, evidence }) => ({ name: text, evidence }));
}

/** In a title all words have capitals, so that a name does not show. */
function isSentenceCase(text: string): boolean {
  if (/[.!?]$/.test(text.trim())) return true;
  const words = text.split(/\s+/).filter((word) => /^\p{L}{4,}/u.test(word));
  return words.length < 5 || words.filter((word) => /^\p{Lu}/u.test(word)).length < words.length * 0.6;
}
