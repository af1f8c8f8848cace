// Whether a text names a brand. Whole words only, side by side, so that "LI" is not in "tile"; hyphens, spaces and accents
// make no difference. The same matcher proves in stage 2 that a prompt names no brand, and counts in stage 3 which brands were named.

import { getDomain } from "tldts";
import type { Brand } from "../api/shapes.ts";
import { endingsOf } from "./endings.ts";
import { fold, UNSPACED_SCRIPT, type Word, wordsOf } from "./fold.ts";
import { isEnglishWord, isNamed } from "./homonyms.ts";

export interface Mention {
  start: number;
  end: number;
  text: string;
}

export type Matcher = (text: string) => Mention[];

/** `lang`: of the texts. In languages with cases a name takes endings. Default: only the endings that every language has. */
export function brandMatcher(brand: Brand, lang = ""): Matcher {
  const spellings = new Set([brand.name, ...brand.aliases].flatMap((name) => spellingsOf(name)));
  const names = [...spellings].map((name) => nameOf(name, lang)).filter((name) => name !== undefined);
  const domains = new Set(brand.domains.map(domainOf));
  return (text) => {
    const { words, addresses } = partsOf(text);
    // "acme" in "acme-fake.example" is the address of another brand.
    const named = names.flatMap((name) => name(text, words)).filter((mention) => !isPartOf(addresses, mention));
    const owned = addresses.filter(
      ({ domain, label }) => domains.has(domain) || (domains.size === 0 && spelled(label)),
    );
    return withoutOverlaps([...named, ...owned]).map(({ start, end, text: found }) => ({ start, end, text: found }));
  };

  /** Without a domain of its own to go by, an address that is spelled as the name. */
  function spelled(label: string): boolean {
    return label.length > SHORT && [...spellings].some((name) => plain(name) === plain(label));
  }
}

function plain(text: string): string {
  return fold(text).replaceAll(/[^\p{L}\p{N}]/gu, "");
}

/** The domain that one owner has: on a shared host such as github.io it is the host's subdomain. */
export function domainOf(host: string): string {
  return getDomain(host, { allowPrivateDomains: true }) ?? host.toLowerCase();
}

const LEGAL_FORM =
  /[\s,]+(?:Inc|Incorporated|Ltd|Limited|LLC|PLC|Corp|Corporation|Co|GmbH|AG|KG|UG|e\.?K|OHG|SA|S\.A|SAS|SARL|SRL|S\.r\.l|SpA|S\.p\.A|SL|BV|B\.V|NV|AB|AS|A\/S|ApS|Oy|Oyj|Sp\. z o\.o|s\.r\.o|a\.s|Kft)\.?$/iu;

/** A name with and without its legal form and its article: few people write them. */
function spellingsOf(name: string): string[] {
  const bare = name.replace(LEGAL_FORM, "");
  const short = bare.replace(/^The (?=\p{Lu})/u, "");
  const umlauts = short.replaceAll("ä", "ae").replaceAll("ö", "oe").replaceAll("ü", "ue");
  const joined = / [&+] /.test(short) ? ANDS.map((and) => short.replace(/ [&+] /, ` ${and} `)) : [];
  return [...new Set([name, bare, short, umlauts, ...joined])].filter((each) => each.trim().length > 1);
}

/** "Calder & Sons" is written out in the language of the text. */
const ANDS = ["and", "und", "et", "y", "e", "en", "i", "и", "och", "og"];

interface Parts {
  text: string;
  words: readonly Word[];
  addresses: readonly Address[];
}

/** The brands of a report are looked for in one text after the other, so the parts of the last one are kept. */
let last: Parts | undefined;

function partsOf(text: string): Parts {
  if (last?.text !== text) last = { text, words: wordsOf(text), addresses: addressesIn(text) };
  return last;
}

/** Whether an address goes beyond the mention at either end. Addresses are in order and do not overlap. */
function isPartOf(addresses: readonly Address[], { start, end }: Mention): boolean {
  let [low, high] = [0, addresses.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((addresses[middle] as Address).start <= start) low = middle + 1;
    else high = middle;
  }
  const before = addresses[low - 1];
  return before !== undefined && end <= before.end && end - start < before.end - before.start;
}

/** Names up to this many letters are words of their own too often to be taken without a further sign. */
const SHORT = 3;

function nameOf(name: string, lang: string): ((text: string, words: readonly Word[]) => Mention[]) | undefined {
  if (UNSPACED_SCRIPT.test(name)) return (text) => standing(text, name);
  const pieces = wordsOf(name);
  const joined = pieces.map(({ folded }) => folded).join("");
  // A name of signs alone.
  if (joined === "") return name.trim() === "" ? undefined : (text) => standing(text, name.trim());
  const sign = /[&+]/.exec(name)?.[0];
  if (sign !== undefined) {
    return (text, words) =>
      sideBySide(text, words, joined, pieces.length).filter((mention) => mention.text.includes(sign));
  }
  const short = [...joined].length <= SHORT;
  const isWord = pieces.length === 1 && /^\p{Lu}\p{Ll}+$/u.test(name) && isEnglishWord(joined);
  const endings = short || isWord ? undefined : endingsOf(lang, joined);
  return (text, words) =>
    sideBySide(text, words, joined, pieces.length, endings).filter(
      (mention) => (!short || isSure(text, mention, pieces)) && (!isWord || isNamed(text, mention)),
    );
}

/** Runs of words that make up the name, however they are joined. */
function sideBySide(
  text: string,
  words: readonly Word[],
  joined: string,
  pieceCount: number,
  endings?: RegExp,
): Mention[] {
  const wanted = joined.replaceAll(/[-.'·]/g, "");
  const found: Mention[] = [];
  for (let i = 0; i < words.length; i++) {
    let run = "";
    for (let j = i; j < words.length && j < i + MOST_PIECES; j++) {
      const word = words[j] as Word;
      if (j > i && !joins(text, words[j - 1] as Word, word, pieceCount)) break;
      run += word.folded.replaceAll(/[-.'·]/g, "");
      if (!wanted.startsWith(run) && !(endings?.test(run) && /^\p{Lu}/u.test((words[i] as Word).text))) break;
      if (wanted.startsWith(run) && run.length < wanted.length) continue;
      const { start } = words[i] as Word;
      found.push({ start, end: word.end, text: text.slice(start, word.end) });
      break;
    }
  }
  return found;
}

const MOST_PIECES = 8;

function joins(text: string, before: Word, after: Word, pieceCount: number): boolean {
  const between = text.slice(before.end, after.start);
  if (!/^(?:'s|’s)?[\s\-‐‑–&+.·'’/]{1,3}$/u.test(between) || /[.]\s|\n/.test(between)) return false;
  // One word as two: only with a hyphen, or when both look like a name ("Pedal Werk" but not "pedal werk").
  return pieceCount > 1 || !/\s/.test(between) || /^\p{Lu}/u.test(after.text);
}

/** A short name counts in exactly its own letters, and not in a text that shouts. */
function isSure(text: string, { start, end, text: found }: Mention, pieces: readonly Word[]): boolean {
  const own = pieces.map((piece) => piece.text).join("");
  if (found.replaceAll(/[^\p{L}\p{N}]/gu, "") !== own.replaceAll(/[^\p{L}\p{N}]/gu, "")) {
    return /(?:^|\n)[ \t]*(?:[-*•]|\d{1,3}[.)])[ \t]+(?:\*\*)?$/u.test(text.slice(Math.max(0, start - 12), start));
  }
  const around = text.slice(Math.max(0, start - 40), Math.min(text.length, end + 40));
  const letters = around.replace(found, "").replaceAll(/[^\p{L}]/gu, "");
  return letters.length < 12 || letters !== letters.toUpperCase() || letters === letters.toLowerCase();
}

/** For scripts without spaces; a name in katakana does not end in the middle of a longer katakana word. */
function standing(text: string, name: string): Mention[] {
  const wanted = fold(name);
  const { folded, at } = foldedWithPlaces(text);
  const found: Mention[] = [];
  for (let i = folded.indexOf(wanted); i >= 0; i = folded.indexOf(wanted, i + 1)) {
    const before = folded[i - 1] ?? "";
    const after = folded[i + wanted.length] ?? "";
    if (runsOn(before, wanted[0] ?? "") || runsOn(wanted.at(-1) ?? "", after)) continue;
    const start = at[i] as number;
    const end = at[i + wanted.length] ?? text.length;
    found.push({ start, end, text: text.slice(start, end) });
  }
  return found;
}

function runsOn(left: string, right: string): boolean {
  const katakana = /[\p{Script=Katakana}ー]/u;
  const latin = /[\p{Script=Latin}\p{N}]/u;
  return (katakana.test(left) && katakana.test(right)) || (latin.test(left) && latin.test(right));
}

function foldedWithPlaces(text: string): { folded: string; at: number[] } {
  let folded = "";
  const at: number[] = [];
  let index = 0;
  for (const char of text) {
    const piece = fold(char);
    for (let i = 0; i < piece.length; i++) at.push(index);
    folded += piece;
    index += char.length;
  }
  at.push(index);
  return { folded, at };
}

const DOMAIN = /(?<![\p{L}\p{N}_.-])(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,62})\.){1,5}[\p{L}]{2,24}(?![\p{L}\p{N}_-])/gu;

interface Address extends Mention {
  domain: string;
  /** The part of the domain that its owner chose. */
  label: string;
}

function addressesIn(text: string): Address[] {
  return [...text.matchAll(DOMAIN)].flatMap(({ 0: found, index }) => {
    const domain = domainOf(found);
    return [{ start: index, end: index + found.length, text: found, domain, label: domain.split(".")[0] ?? "" }];
  });
}

function withoutOverlaps(mentions: readonly Mention[]): Mention[] {
  const sorted = [...mentions].sort((a, b) => a.start - b.start || b.end - a.end);
  const kept: Mention[] = [];
  for (const mention of sorted) if (mention.start >= (kept.at(-1)?.end ?? 0)) kept.push(mention);
  return kept;
}
