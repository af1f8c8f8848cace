import { useState } from "react";
import { count } from "../lib/format.ts";
import { Button } from "./button.tsx";

const MOST_CHARS = 600;
const MOST_LINES = 8;

/** A string that can be very long, such as an error with a whole response: its beginning, and a button for the rest. */
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
