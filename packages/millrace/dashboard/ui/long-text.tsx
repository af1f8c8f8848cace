import { useState } from "react";
import { count } from "../lib/format.ts";
import { Button } from "./button.tsx";

const MOST_CHARS = 600;
const MOST_LINES = 8;

/** A text that may be very long, an error that quotes a whole answer say, shows its beginning, and the rest to whoever asks. */
export function LongText({ text }: { readonly text: string }) {
  const [all, setAll] = useState(false);
  const short = text.split("\n").slice(0, MOST_LINES).join("\n").slice(0, MOST_CHARS);
  // A few characters more are shown at once: a button in their place would save nothing.
  if (all || text.length <= short.length + 100) return text;
  return (
    <>
      {short}…{" "}
      <Button className="small" onClick={() => setAll(true)}>
        Show all {count(text.length)} characters
      </Button>
    </>
  );
}
