import { stopWordsOf } from "../profile/stop-words.ts";
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
  const stops = stopWordsOf(lang);
  return wordsOf(text)
    .flatMap(({ folded }) => (folded.includes("-") ? folded.split("-") : [folded]))
    .filter((word) => word.length > 1 && !stops.has(word))
    .map(stem);
}

export function topicTerms(question: string, lang: string): string[] {
  const asking = new Set([...ASKING].map(stem));
  return [...new Set(termsOf(question, lang))].filter((term) => !asking.has(term) && !ASKING_JA.test(term));
}

const ASKING_JA =
  /^(?:おす|すす|すめ|教え|どこ|何で|です|すか|ます|いく|くら|値段|比較|主な|会社|評判|良い|選ぶ|注意|意点|よく|失敗|買え|業者|とき|くだ|ださ|さい|てく)$/u;

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
  if (word.length < 5)
    return word.length === 4 && word.endsWith("s") && !word.endsWith("ss") ? word.slice(0, -1) : word;
  const cut = word.replace(/(?:ies)$/, "y").replace(/(?:ingly|edly|ing|ed|ly)$/, "");
  const bare = cut.length >= 4 ? cut : word;
  return bare.replace(/(?:sses)$/, "ss").replace(/(?<=[^s])(?:es|en|er|s|e|n)$/, "");
}
