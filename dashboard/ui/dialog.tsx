import { type ReactNode, useEffect, useId, useRef } from "react";
import { Button } from "./button.tsx";

interface Props {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
  readonly actions: ReactNode;
}

/** The browser's own dialog: it keeps the focus inside, closes by Escape and gives the focus back. */
export function Dialog({ title, onClose, children, actions }: Props) {
  const ref = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
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
      <div className="dialog-body">{children}</div>
      <footer className="dialog-foot">
        <Button onClick={onClose}>Close</Button>
        {actions}
      </footer>
    </dialog>
  );
}
