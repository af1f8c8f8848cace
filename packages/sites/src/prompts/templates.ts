import type { INTENTS } from "../api/shapes.ts";

export type Intent = (typeof INTENTS)[number];

/** A question with gaps: `{phrase}`, `{audience}`, `{place}`, `{rival}`, `{brand}`. */
export interface Template {
  intent: Intent;
  text: string;
}

const of = (intent: Intent, ...texts: string[]): Template[] => texts.map((text) => ({ intent, text }));

/** Whole questions as a customer would put them to an assistant, by language. */
export const TEMPLATES: Readonly<Record<string, readonly Template[]>> = {
  en: [
    ...of(
      "category",
      "Which provider of {phrase} is best for {audience}?",
      "Which companies offer {phrase} in {place}?",
      "Which companies are known for good {phrase}?",
      "Can you recommend a provider of {phrase}?",
    ),
    ...of(
      "comparison",
      "What are good alternatives to {rival} for {phrase}?",
      "How do the leading providers of {phrase} compare?",
      "How does {brand} compare with {rival}?",
      "What makes one provider of {phrase} better than another?",
    ),
    ...of(
      "problem",
      "How can {audience} find {phrase} they can rely on?",
      "What should I look for when choosing {phrase}?",
      "What can go wrong with {phrase}?",
      "What are common mistakes when choosing {phrase}?",
    ),
    ...of(
      "purchase",
      "How much should I expect to pay for {phrase}?",
      "Where can I buy {phrase} in {place}?",
      "Where can I order {phrase} online?",
      "When is it worth paying more for {phrase}?",
    ),
    ...of("fact", "What does {brand} offer?", "How much does {brand} charge for {phrase}?", "Who is {brand} for?"),
  ],
  de: [
    ...of(
      "category",
      "Welche Anbieter von {phrase} sind für {audience} am besten?",
      "Welche Anbieter von {phrase} gibt es in {place}?",
      "Welche Firmen sind für {phrase} bekannt?",
      "Kannst du einen Anbieter für {phrase} empfehlen?",
    ),
    ...of(
      "comparison",
      "Was sind gute Alternativen zu {rival} für {phrase}?",
      "Wie unterscheiden sich die wichtigsten Anbieter von {phrase}?",
      "Wie schneidet {brand} im Vergleich zu {rival} ab?",
      "Was zeichnet gute Anbieter von {phrase} aus?",
    ),
    ...of(
      "problem",
      "Worauf sollte ich bei der Auswahl von {phrase} achten?",
      "Was kann bei {phrase} schiefgehen?",
      "Welche Fehler passieren häufig bei {phrase}?",
    ),
    ...of(
      "purchase",
      "Mit welchen Kosten muss ich für {phrase} rechnen?",
      "Wo kann ich {phrase} in {place} kaufen?",
      "Wo kann ich {phrase} online bestellen?",
      "Wann lohnt es sich, für {phrase} mehr auszugeben?",
    ),
    ...of("fact", "Was bietet {brand} an?", "Was verlangt {brand} für {phrase}?", "Für wen ist {brand} geeignet?"),
  ],
  fr: [
    ...of(
      "category",
      "Quel est le meilleur choix de {phrase} pour {audience} ?",
      "Quelles entreprises proposent {phrase} à {place} ?",
      "Quelles entreprises sont réputées pour {phrase} ?",
    ),
    ...of(
      "comparison",
      "Quelles sont les bonnes alternatives à {rival} pour {phrase} ?",
      "Comment se comparent les principaux fournisseurs de {phrase} ?",
      "Que vaut {brand} par rapport à {rival} ?",
    ),
    ...of(
      "problem",
      "À quoi faire attention en choisissant {phrase} ?",
      "Quels problèmes {phrase} permet-il de résoudre ?",
    ),
    ...of("purchase", "Combien coûte {phrase} ?", "Où acheter {phrase} en ligne ?", "Où acheter {phrase} à {place} ?"),
    ...of("fact", "Que propose {brand} ?", "Combien {brand} demande-t-il pour {phrase} ?"),
  ],
  es: [
    ...of(
      "category",
      "¿Cuál es la mejor opción de {phrase} para {audience}?",
      "¿Qué empresas ofrecen {phrase} en {place}?",
      "¿Qué empresas son conocidas por {phrase}?",
    ),
    ...of(
      "comparison",
      "¿Cuáles son buenas alternativas a {rival} para {phrase}?",
      "¿Cómo se comparan los principales proveedores de {phrase}?",
      "¿Cómo es {brand} en comparación con {rival}?",
    ),
    ...of("problem", "¿En qué debo fijarme al elegir {phrase}?", "¿Qué problemas resuelve {phrase}?"),
    ...of("purchase", "¿Cuánto cuesta {phrase}?", "¿Dónde puedo comprar {phrase} en línea?"),
    ...of("fact", "¿Qué ofrece {brand}?", "¿Cuánto cobra {brand} por {phrase}?"),
  ],
  ar: [
    ...of("category", "ما هي أفضل شركة تقدم {phrase}؟", "هل يمكنك أن توصي بمتجر يبيع {phrase}؟"),
    ...of("comparison", "ما الفرق بين أهم الشركات التي تقدم {phrase}؟", "ما هي البدائل الجيدة عن {rival}؟"),
    ...of("problem", "ما الذي يجب الانتباه إليه عند اختيار {phrase}؟", "ما هي الأخطاء الشائعة عند شراء {phrase}؟"),
    ...of("purchase", "كم يبلغ سعر {phrase}؟", "أين يمكنني شراء {phrase}؟"),
    ...of("fact", "ماذا يقدم {brand}؟", "كم سعر {phrase} عند {brand}؟"),
  ],
  ja: [
    ...of(
      "category",
      "{audience}におすすめの{phrase}はどこですか？",
      "{phrase}で評判の良い会社はどこですか？",
      "{phrase}のおすすめの業者を教えてください。",
    ),
    ...of(
      "comparison",
      "{phrase}の主な会社を比較するとどう違いますか？",
      "{rival}の代わりになる{phrase}はありますか？",
      "{brand}は{rival}と比べてどうですか？",
    ),
    ...of("problem", "{phrase}を選ぶときの注意点は何ですか？", "{phrase}でよくある失敗は何ですか？"),
    ...of("purchase", "{phrase}の値段はいくらですか？", "{phrase}はどこで買えますか？"),
    ...of("fact", "{brand}は何を提供していますか？", "{brand}の{phrase}はいくらですか？"),
  ],
};

const INTENT_SIGNS: readonly [Intent, RegExp][] = [
  [
    "comparison",
    /\b(?:vs\.?|versus|compare[ds]?|comparison|alternatives?|better than|vergleich|alternativen?|unterschied\w*|comparer|alternativas?)\b|比較|代わり/iu,
  ],
  [
    "purchase",
    /\b(?:cost|price[sd]?|pricing|how much|buy|order|cheap\w*|worth|kostet|kosten|preis\w*|kaufen|bestellen|lohnt|combien|acheter|cuánto|comprar)\b|値段|いくら|買え|料金/iu,
  ],
  [
    "problem",
    /\b(?:how (?:can|do|to)|problem\w*|mistakes?|look for|avoid|fix|solve[sd]?|worauf|wie kann|fehler|probleme?)\b|注意|失敗|方法/iu,
  ],
  [
    "category",
    /\b(?:best|top|recommend\w*|which|leading|beste[nrs]?|welche[rs]?|empfehl\w*|meilleur\w*|mejor\w*)\b|おすすめ|評判/iu,
  ],
];

/** What a question of a user's own is after. */
export function intentOf(text: string): Intent {
  return INTENT_SIGNS.find(([, sign]) => sign.test(text))?.[0] ?? "fact";
}
