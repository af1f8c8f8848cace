const OPENERS =
  /^(?:what|which|who|whom|whose|when|where|why|how|is|are|am|do|does|did|can|could|should|would|will|was wo|wer|wie|was|wann|warum|wieso|welche\w*|kann|können|gibt|ist|sind|hat|haben|wo|comment|pourquoi|quel\w*|combien|où|qué|cómo|cuál\w*|cuánto|dónde|por qué)\b/iu;
const ENDS_AS_ONE = /(?:か|でしょうか|ですか|ますか)[。？?]?$/u;

/** A heading or prompt that asks. */
export function isQuestion(text: string): boolean {
  const trimmed = text.trim();
  if (/[?？؟]$/u.test(trimmed)) return true;
  return (
    ENDS_AS_ONE.test(trimmed) || (OPENERS.test(trimmed) && trimmed.split(" ").length >= 4 && !trimmed.endsWith("."))
  );
}
