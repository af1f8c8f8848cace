import { Icon } from "../ui/icon.tsx";
import { Link } from "../ui/link.tsx";
import type { Concern } from "./attention.ts";

export function Attention({ concerns, ready }: { concerns: readonly Concern[]; ready: boolean }) {
  if (!ready) return null;
  if (concerns.length === 0) {
    return (
      <p className="all-well">
        <Icon name="check" /> Nothing needs attention.
      </p>
    );
  }
  return (
    <section className="attention" aria-label="Needs attention">
      <ul>
        {concerns.map(({ tone, text, to }) => (
          <li key={text} className={tone}>
            <Icon name="warning" />
            <span>{withCode(text)}</span>
            <Link to={to} className="look">
              Show<span className="visually-hidden">: {text}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Names stand between backticks. */
function withCode(text: string) {
  // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one sentence, in their order
  return text.split("`").map((part, i) => (i % 2 === 1 ? <code key={i}>{part}</code> : part));
}
