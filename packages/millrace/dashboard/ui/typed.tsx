import { useEffect, useRef, useState } from "react";
import { Input } from "./field.tsx";

const TYPING_MS = 250;

interface TypedProps {
  readonly params: URLSearchParams;
  readonly change: (changes: Record<string, string | undefined>) => void;
  /** The parameter of the address. */
  readonly name: string;
  readonly label: string;
  readonly placeholder: string;
  readonly isSearch?: boolean;
}

/** A field of a filter. The address follows when the typing pauses. */
export function Typed({ name, label, placeholder, params, change, isSearch = false }: TypedProps) {
  const given = params.get(name) ?? "";
  const [text, setText] = useState(given);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  // A space at the end belongs to the word that is still to come.
  useEffect(() => setText((typed) => (typed.trim() === given ? typed : given)), [given]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const type = (next: string) => {
    setText(next);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => change({ [name]: next.trim() }), TYPING_MS);
  };
  return (
    <Input
      label={label}
      labelHidden
      type={isSearch ? "search" : "text"}
      maxLength={isSearch ? 200 : 64}
      placeholder={placeholder}
      value={text}
      onChange={(event) => type(event.target.value)}
    />
  );
}
