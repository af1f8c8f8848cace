// Endings that a name takes in a sentence: "Nikes", "z Rowerexem", "с Яндексом".

const LATIN: Readonly<Record<string, string>> = {
  pl: "a|u|owi|em|iem|ie|y|i|ę|ą|e|ami|om|ach|ów|ksa|ksie|ksu",
  cs: "a|u|ovi|em|e|y|i|ě|ou|ům|ech|ami",
  sk: "a|u|ovi|om|e|y|i|ou|om|och|ami",
  hr: "a|u|om|em|e|i|ima",
  sl: "a|u|om|em|e|i|ih",
  fi: "n|in|a|ia|ssa|issa|sta|ista|lla|lta|lle|ta|ssä|stä|llä|ltä|ä|en|iin|on|an",
  et: "i|it|is|ist|le|lt|l|st|s",
  hu: "t|ot|at|et|nak|nek|ban|ben|ból|ből|nál|nél|hoz|hez|val|vel|on|en|é",
  tr: "i|ı|u|ü|in|ın|un|ün|nin|nın|e|a|de|da|den|dan|yi|yı|ye|ya",
  lt: "as|o|ui|ą|u|e|ai|ų",
  lv: "s|a|am|u|ā|i|ai|os",
  ro: "ul|ului|le|lui|a|ei",
  sv: "s",
  da: "s",
  no: "s",
};
const CYRILLIC = "а|у|ом|е|ы|и|ой|ою|ю|я|ем|ём|ам|ами|ах|ів|ові|і|єм";

/** The name with one of the endings; undefined where the language of the text adds none. */
export function endingsOf(lang: string, joined: string): RegExp | undefined {
  const bare = joined.replaceAll(/[-.'·]/g, "");
  if (/^\p{Script=Cyrillic}+$/u.test(bare)) {
    // "Лента" becomes "Ленту" and "Лентой": its own last vowel goes.
    const stem = /[аяоеьйы]$/u.test(bare) && bare.length > 4 ? bare.slice(0, -1) : bare;
    return new RegExp(`^${stem}(?:${CYRILLIC})$`, "u");
  }
  if (!/^[\p{Script=Latin}\p{N}]+$/u.test(bare) || bare.length < 4) return undefined;
  const own = LATIN[lang]?.normalize("NFD").replaceAll(/\p{M}/gu, "");
  const stem = dropsLast(lang, bare) ? `(?:${bare}|${bare.slice(0, -1)})` : bare;
  return new RegExp(`^${stem}(?:s${own === undefined ? "" : `|${own}`})$`, "u");
}

/** "Rowerex" becomes "Rowereksa", and the Slavic "Alza" becomes "Alzy". */
function dropsLast(lang: string, bare: string): boolean {
  if (lang === "pl" && bare.endsWith("x")) return true;
  return SLAVIC.has(lang) && bare.length > 4 && /[aoe]$/u.test(bare);
}

const SLAVIC: ReadonlySet<string> = new Set(["pl", "cs", "sk", "hr", "sl"]);
