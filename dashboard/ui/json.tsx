import { say } from "../lib/messages.ts";
import { Button } from "./button.tsx";

/** Whatever came from outside, always as text. */
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

export function CopyButton({ text, what, children }: { text: string; what: string; children?: string }) {
  const copy = () => {
    void navigator.clipboard.writeText(text).then(
      () => say(`Copied: ${what.toLowerCase()}.`),
      () => say("The browser did not let the page copy. Select the text instead.", "wrong"),
    );
  };
  return (
    <Button look="quiet" icon="copy" onClick={copy} aria-label={`Copy ${what.toLowerCase()}`} title="Copy">
      {children}
    </Button>
  );
}

export function textOf(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value, null, 2) ?? "");
}
