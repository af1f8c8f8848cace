import { type KeyboardEvent, type RefObject, useEffect, useId, useRef } from "react";
import type { DrawingFault } from "./drawing.ts";

interface Props {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly fault: DrawingFault | undefined;
  readonly field: RefObject<HTMLTextAreaElement | null>;
}

/** A plain text field with line numbers beside it; the line at fault is marked. */
export function SourceEditor({ value, onChange, fault, field: text }: Props) {
  const id = useId();
  const gutter = useRef<HTMLDivElement>(null);
  const lines = value.split("\n").length;
  const follow = () => {
    if (gutter.current && text.current) gutter.current.scrollTop = text.current.scrollTop;
  };
  useEffect(follow);
  return (
    <div className="source">
      <div className="source-box">
        <div className="gutter" ref={gutter} aria-hidden="true">
          {Array.from({ length: lines }, (_, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the numbers of lines
            <div key={i} className={fault?.line === i + 1 ? "at-fault" : undefined}>
              {i + 1}
            </div>
          ))}
        </div>
        <textarea
          id={id}
          ref={text}
          aria-label="Source of the diagram"
          aria-invalid={fault ? true : undefined}
          aria-describedby={fault ? `${id}-fault` : undefined}
          spellCheck={false}
          autoCapitalize="off"
          wrap="off"
          value={value}
          onChange={(event) => onChange(event.target.value)}
          onScroll={follow}
          onKeyDown={indent}
        />
      </div>
      <div role="status">
        {fault && (
          <p id={`${id}-fault`} className="fault">
            {fault.line !== undefined && (
              <button type="button" onClick={() => select(text.current, fault.line as number)}>
                Line {fault.line}
              </button>
            )}
            {fault.message} {fault.advice}
          </p>
        )}
        {fault?.excerpt && <pre className="fault-excerpt">{fault.excerpt}</pre>}
      </div>
    </div>
  );
}

/** Ctrl+] indents; Tab goes on to the next field, as everywhere. */
function indent(event: KeyboardEvent<HTMLTextAreaElement>): void {
  if (event.key !== "]" || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  // Through the browser, so that it can be undone.
  document.execCommand("insertText", false, "  ");
}

function select(text: HTMLTextAreaElement | null, line: number): void {
  if (!text) return;
  const before = text.value.split("\n").slice(0, line - 1);
  const start = before.reduce((sum, each) => sum + each.length + 1, 0);
  const end = text.value.indexOf("\n", start);
  text.focus();
  text.setSelectionRange(start, end < 0 ? text.value.length : end);
}
