import { say } from "../lib/messages.ts";
import { Button } from "./button.tsx";

/** JSON from outside, always shown as text. */
export function Json({ value, label }: { value: unknown; label: string }) {
  const text = textOf(value);
  return (
    <div className="json">
      <pre tabIndex={0} role="region" aria-label={label}>
        {text}
      </pre>
      <CopyButton text={text} what={label} />
    </div>
  );
}

/** A button that copies a text to the clipboard. */
export function CopyButton({ text, what, children }: { text: string; what: string; children?: string }) {
  const copy = () => {
    // Over plain HTTP from elsewhere there is no clipboard at all.
    void Promise.resolve()
      .then(() => navigator.clipboard.writeText(text))
      .then(
        () => say(`Copied: ${what.toLowerCase()}.`),
        () => say("The browser blocked copying. Select the text instead.", "wrong"),
      );
  };
  return (
    <Button look="quiet" icon="copy" onClick={copy} aria-label={`Copy ${what.toLowerCase()}`} title="Copy">
      {children}
    </Button>
  );
}

/** To be edited and read again as JSON: a text keeps its quotes. */
export function sourceOf(value: unknown): string {
  return JSON.stringify(value, null, 2) ?? "";
}

export function textOf(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value, null, 2) ?? "");
}
