import type { Parser } from "./parsers.ts";

/** What a default may depend on. */
export interface Surroundings {
  readonly postgres: boolean;
  readonly terminal: boolean;
  readonly cores: number;
}

export interface Setting<T> {
  /** The name in the environment. */
  readonly name: string;
  readonly alias?: string;
  readonly parse: Parser<T>;
  readonly fallback: (surroundings: Surroundings) => T;
  /** The default in words, as `.env.example` and the reference show it. */
  readonly fallbackText: string;
  readonly doc: string;
  /** Never repeated in a message; `show` masks it. */
  readonly secret: boolean;
  /** The value as the environment would spell it. */
  show(value: T): string;
}

export function setting<T>(name: string, parse: Parser<T>, fallback: NoInfer<T>, doc: string): Setting<T> {
  const fallbackText = String(fallback) || "none";
  return { name, parse, fallback: () => fallback, fallbackText, doc, secret: false, show: String };
}

export const MASK = "********";

export function secret(name: string, parse: Parser<string>, doc: string): Setting<string | undefined> {
  const show = (value: string | undefined) => (value === undefined ? "" : MASK);
  return { name, parse, fallback: () => undefined, fallbackText: "none", doc, secret: true, show };
}
