import { type ReactNode, useState } from "react";
import { Button } from "./button.tsx";

interface Props<T> {
  readonly items: readonly T[];
  readonly most: number;
  readonly children: (shown: readonly T[]) => ReactNode;
}

/** The beginning of a long list, and a button for the rest. */
export function SomeFirst<T>({ items, most, children }: Props<T>) {
  const [all, setAll] = useState(false);
  // One more than the bound is shown at once: a button in its place would save nothing.
  const isLong = items.length > most + 1;
  return (
    <>
      {children(all || !isLong ? items : items.slice(0, most))}
      {isLong && !all && (
        <p className="some-first">
          <Button look="quiet" onClick={() => setAll(true)}>
            Show all {items.length}
          </Button>
        </p>
      )}
    </>
  );
}
