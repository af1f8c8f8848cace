import { type ReactNode, useId, useLayoutEffect, useRef } from "react";
import { sentenceOf } from "../lib/data.ts";
import { Button } from "./button.tsx";

interface Props {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
  readonly actions: ReactNode;
  /** Why it could not be done: said here, since nothing outside an open dialog is heard. */
  readonly error?: unknown;
}

/** The browser's own dialog: it keeps the focus inside, closes by Escape and gives the focus back. */
export function Dialog({ title, onClose, children, actions, error }: Props) {
  const ref = useRef<HTMLDialogElement>(null);
  const id = useId();
  // Closed while it is still in the document: only then the browser gives the focus back.
  useLayoutEffect(() => {
    const dialog = ref.current;
    if (dialog && !dialog.open) dialog.showModal();
    return () => dialog?.close();
  }, []);
  return (
    <dialog
      ref={ref}
      className="dialog"
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <h2 id={id}>{title}</h2>
      <div className="dialog-body">
        {children}
        {error != null && (
          <p className="notice bad" role="alert">
            {sentenceOf(error)}
          </p>
        )}
      </div>
      <footer className="dialog-foot">
        <Button onClick={onClose}>Close</Button>
        {actions}
      </footer>
    </dialog>
  );
}
