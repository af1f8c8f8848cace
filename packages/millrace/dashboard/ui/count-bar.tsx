import { count } from "../lib/format.ts";
import { Link } from "./link.tsx";
import type { Tone } from "./status.tsx";

/** One part of a bar: so many things in one state. */
export interface CountPart {
  readonly word: string;
  readonly count: number;
  readonly tone: Tone;
  /** Where the things of this part are listed. */
  readonly to?: string;
}

/** A bar whose parts are as wide as their counts. The words for it stand in `CountWords`. */
export function CountBar({ parts, label }: { parts: readonly CountPart[]; label: string }) {
  const shown = parts.filter((part) => part.count > 0);
  return (
    <div className="count-bar" role="img" aria-label={`${label}: ${inWords(shown)}`}>
      {shown.map(({ word, count: size, tone }) => (
        <span key={word} className={tone} style={{ flexGrow: size }} title={`${count(size)} ${word}`} />
      ))}
    </div>
  );
}

/** The parts in words, each with the colour that it has in the bar. */
export function CountWords({ parts }: { parts: readonly CountPart[] }) {
  return (
    <ul className="count-words">
      {parts
        .filter((part) => part.count > 0)
        .map(({ word, count: size, tone, to }) => {
          const text = `${count(size)} ${word}`;
          return (
            <li key={word}>
              <i className={`count-mark ${tone}`} aria-hidden="true" />
              {to === undefined ? text : <Link to={to}>{text}</Link>}
            </li>
          );
        })}
    </ul>
  );
}

function inWords(parts: readonly CountPart[]): string {
  return parts.map((part) => `${count(part.count)} ${part.word}`).join(", ") || "none";
}
