import { SMALL_WORDS } from "../profile/small-words.ts";
import { stopWordsOf } from "../profile/stop-words.ts";
import { askingText } from "../prompts/templates/templates.ts";
import { fold, UNSPACED_SCRIPT, wordsOf } from "./fold.ts";

/** Words of a question that say how it is asked and not what about. */
const ASKING = new Set(
  "best good better great top leading known reliable rely recommend provider providers company companies offer offers offering option options compare comparison alternatives alternative look choosing choose problems problem solve solves common mistakes mistake cost costs price prices much charge worth money buy order online find makes another considered anbieter firmen bekannt gute guten beste besten empfehlen unterscheiden wichtigsten zeichnet worauf achten auswahl loest probleme fehler haufig passieren kostet kosten kaufen bestellen lohnt bietet verlangt geeignet vergleich alternativen long often does stay first kind kinds type types possible available expect pay fair paying wrong mit kosten rechnen schiefgehen auszugeben kauf charge charges ما هي أفضل شركة تقدم هل يمكنك أن توصي بمتجر يبيع الفرق بين أهم الشركات التي الذي يجب الانتباه إليه عند اختيار الأخطاء الشائعة شراء كم يبلغ سعر أين يمكنني ماذا يقدم".split(
    " ",
  ),
);

/** What a text is about, as comparable terms: folded, without small words, endings cut; pairs of characters in scripts without spaces. */
export function termsOf(text: string, lang: string): string[] {
  if (UNSPACED_SCRIPT.test(text)) return pairsOf(text);
  const stops = foldedStops(lang);
  return wordsOf(text)
    .flatMap(({ folded }) => (folded.includes("-") ? folded.split("-") : [folded]))
    .filter((word) => word.length > 1 && !stops.has(word))
    .map(stem);
}

const stopsByLang = new Map<string, ReadonlySet<string>>();

/** Words of a text are folded, so the small words are too: "für" is "fur" on both sides. */
function foldedStops(lang: string): ReadonlySet<string> {
  const known = stopsByLang.get(lang);
  if (known) return known;
  const folded = new Set([...stopWordsOf(lang), ...(SMALL_WORDS[lang] ?? [])].map(fold));
  stopsByLang.set(lang, folded);
  return folded;
}

export function topicTerms(question: string, lang: string): string[] {
  const asking = askingTerms(lang);
  return [...new Set(termsOf(question, lang))].filter((term) => !asking.has(term));
}

const askingByLang = new Map<string, ReadonlySet<string>>();

/** The terms by which a language asks: those of its questions' templates, and the common ones above. */
function askingTerms(lang: string): ReadonlySet<string> {
  const known = askingByLang.get(lang);
  if (known) return known;
  const asking = new Set([
    ...[...ASKING].flatMap((word) => termsOf(word, "")),
    ...termsOf(askingText(lang), lang),
    ...ASKING_PAIRS.split("|"),
  ]);
  askingByLang.set(lang, asking);
  return asking;
}

const ASKING_PAIRS =
  "おす|すす|すめ|教え|どこ|何で|です|すか|ます|いく|くら|値段|比較|主な|会社|評判|良い|選ぶ|注意|意点|よく|失敗|買え|業者|とき|くだ|ださ|さい|てく|多少|少钱|公司|哪家|口碑|推荐|注意|选择|错误|常见|区别|主要|提供|网上|购买";

function pairsOf(text: string): string[] {
  const folded = fold(text).replaceAll(/[^\p{L}\p{N}]+/gu, " ");
  return folded.split(" ").flatMap((run) => {
    const chars = [...run];
    // Hiragana is mostly grammar: pairs with it say nothing.
    return chars.slice(1).flatMap((char, i) => {
      const pair = `${chars[i]}${char}`;
      return /\p{Script=Hiragana}/u.test(pair) ? [] : [pair];
    });
  });
}

/** Cuts the commonest endings, so that "bikes" meets "bike". Crude on purpose: both sides are cut the same way. */
function stem(word: string): string {
  if (/^ال\p{L}{3}/u.test(word)) return word.slice(2);
  if (/\p{Script=Cyrillic}/u.test(word)) return word.replace(CYRILLIC_ENDING, "");
  if (word.length < 5)
    return word.length === 4 && word.endsWith("s") && !word.endsWith("ss") ? word.slice(0, -1) : word;
  const cut = word.replace(/(?:ies)$/, "y").replace(/(?:ingly|edly|ing|ed|ly)$/, "");
  const bare = cut.length >= 4 ? cut : word;
  const singular = bare.replace(/(?:sses)$/, "ss").replace(/(?<=[^s])(?:es|en|er|s|e|n)$/, "");
  // "Rower, rowery, rowerów" and "bicicletta, biciclette".
  const plain = singular.replace(/(?<=\p{L}{3})(?:ami|ach|ego|emu|ych|ymi|ow)$/u, "");
  return plain.length >= 5 ? plain.replace(/[aeiouy]$/, "") : plain;
}

const CYRILLIC_ENDING =
  /(?<=\p{L}{3})(?:ами|ями|ого|его|ому|ему|ыми|ими|ах|ях|ов|ев|ей|ой|ый|ий|ая|яя|ое|ее|ые|ие|ую|юю|ом|ем|ам|ям|их|ых|ы|и|і|а|я|у|ю|о|е|ь)$/u;
