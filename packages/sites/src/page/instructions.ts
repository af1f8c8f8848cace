/** Words by which a text speaks to a language model rather than to a person. */
const SPEAKS_TO_A_MODEL: readonly RegExp[] = [
  // "Ignore all previous instructions", "disregard your rules"
  /\b(?:ignor\w*|disregard|forget|override|bypass)\b(?:\W+\w+){0,4}\W+(?:instructions?|rules|guidelines|prompts?|polic(?:y|ies)|constraints)\b/iu,
  /\b(?:system|hidden|developer) (?:prompt|message|instructions?)\b/iu,
  /\b(?:instructions?|note|message|attention)(?:\W+(?:to|for|all|any|the)){0,3}\W+(?:AI|LLMs?|(?:large )?language models?|chatbots|GPT|ChatGPT|Claude|Gemini)\b/iu,
  /\b(?:if|when|as)\b(?:\W+\w+){0,3}\W+(?:you are|you['’]re|you) (?:an? )?(?:AI|LLM|language model|chatbot|assistant|GPT)\b/iu,
  /\b(?:AI|LLM|language model|chatbot|assistant)s?\b(?:\W+\w+){0,4}?\W+(?:must|should|shall|always|never)\b(?:\W+\w+){0,3}?\W+(?:recommend|mention|say|answer|cite|rank|praise|respond|describe|list)\b/iu,
  /(?:^|[.!?:;]\s|\byou (?:must|should|shall|will)\s)(?:always|never|only) (?:recommend|mention|praise|cite|suggest|rank|say that|tell)\b/iu,
  /(?:^|[.!?:;]\s|\bplease )(?:recommend|praise|cite|rank)\b(?:\W+\w+){1,4}?\W+(?:always|first|above all|over all|exclusively|in every answer)\b/iu,
  /\b(?:do not|don['’]t|never) (?:mention|recommend|cite|name|list)\b(?:\W+\w+){0,3}?\W+(?:competitors?|rivals?|others?|alternatives?)\b/iu,
  /\b(?:ignorier\w*|vergiss|missachte)\b(?:\W+\w+){0,4}\W+(?:Anweisung\w*|Regeln?|Vorgaben)\b/iu,
  /\b(?:ignore[zrs]?|oublie[zrs]?)\b(?:\W+[\p{L}\p{M}]+){0,4}\W+(?:instructions?|consignes?|règles)/iu,
  /\b(?:ignora\w*|olvida\w*|dimentica\w*|desconsidere|ignore)\b(?:\W+[\p{L}\p{M}]+){0,4}\W+(?:instruc\w*|instruções|istruzioni|reglas|regras|regole|indicaciones)/iu,
  /\b(?:negeer|vergeet)\b(?:\W+\w+){0,4}\W+(?:instructies|regels)\b/iu,
  /(?:zignoruj|ignoruj|zapomnij)\P{L}+(?:\p{L}+\P{L}+){0,4}(?:instrukcj|poleceni|zasad)/iu,
  /(?:игнорируй|проигнорируй|забудь|ігноруй)\p{L}*\P{L}+(?:\p{L}+\P{L}+){0,4}(?:инструкци|указани|правил|інструкці)/iu,
  /(?:指示|命令|ルール|プロンプト)を(?:すべて|全て)?(?:無視|忘れ)|(?:忽略|无视|無視)[\p{L}]{0,8}(?:指令|指示|提示|规则|規則)/u,
  /(?:지시|명령|규칙)\p{L}?\s?(?:\p{L}+\s)?무시/u,
  /تجاهل\P{L}+(?:\p{L}+\P{L}+){0,4}(?:التعليمات|تعليمات|القواعد)/u,
];

const MOST_CHARS = 2_000;

/** Whether a text gives orders to a language model. Meant for text that visitors do not see: in plain view it may be an article. */
export function readsLikeInstructions(text: string): boolean {
  const sample = text.slice(0, MOST_CHARS);
  return SPEAKS_TO_A_MODEL.some((pattern) => pattern.test(sample));
}
