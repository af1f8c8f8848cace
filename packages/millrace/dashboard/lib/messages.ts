// What was done, or why not: said in a corner, and read out.

export interface Message {
  readonly id: number;
  readonly text: string;
  readonly tone: "good" | "wrong";
}

const LASTS_MS = { good: 5_000, wrong: 12_000 };

let messages: readonly Message[] = [];
let last = 0;
const listeners = new Set<() => void>();

/** Shows a sentence in the corner for a few seconds, and reads it out to screen readers. */
export function say(text: string, tone: "good" | "wrong" = "good"): void {
  const id = ++last;
  // The same trouble again replaces itself instead of piling up.
  set([...messages.filter((each) => each.text !== text).slice(-3), { id, text, tone }]);
  setTimeout(() => dismiss(id), LASTS_MS[tone]);
}

export function dismiss(id: number): void {
  if (messages.some((each) => each.id === id)) set(messages.filter((each) => each.id !== id));
}

export function currentMessages(): readonly Message[] {
  return messages;
}

export function onMessages(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function set(next: readonly Message[]): void {
  messages = next;
  for (const listener of listeners) listener();
}
