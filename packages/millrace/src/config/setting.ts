import type { Parser } from "./parsers.ts";

/** What a default may depend on. */
export interface SettingContext {
  /** True: the store is PostgreSQL. */
  readonly postgres: boolean;
  /** True: standard output is a terminal. */
  readonly terminal: boolean;
  /** The number of processor cores. */
  readonly cores: number;
}

/** One setting: an environment variable with its parser, default and documentation. */
export interface Setting<T> {
  /** The name of the environment variable. */
  readonly name: string;
  /** A second name that is accepted too. Default: none. */
  readonly alias?: string;
  /** Reads the text of the variable. */
  readonly parse: Parser<T>;
  /** The default. */
  readonly fallback: (surroundings: SettingContext) => T;
  /** The default in words, for `.env.example` and the reference. */
  readonly fallbackText: string;
  /** What the setting does, in one or two sentences. */
  readonly doc: string;
  /** True: the value never appears in a message, and `show` masks it. */
  readonly secret: boolean;
  /** The value as the environment would spell it. */
  show(value: T): string;
}

/** Settings by the names of their properties. */
export type SettingTable = Readonly<Record<string, Setting<unknown>>>;

/** The values of a table of settings. */
export type SettingValues<Table> = { readonly [Property in keyof Table]: ValueOf<Table[Property]> };
type ValueOf<S> = S extends { readonly parse: Parser<infer T>; readonly fallback: (s: SettingContext) => infer F }
  ? T | F
  : never;

/** Declares a setting. */
export function setting<T>(name: string, parse: Parser<T>, fallback: NoInfer<T>, doc: string): Setting<T> {
  const fallbackText = String(fallback ?? "") || "none";
  return { name, parse, fallback: () => fallback, fallbackText, doc, secret: false, show: String };
}

export const MASK = "********";

/** Declares a setting whose value is never shown. It has no default. */
export function secret(name: string, parse: Parser<string>, doc: string): Setting<string | undefined> {
  const show = (value: string | undefined) => (value === undefined ? "" : MASK);
  return { name, parse, fallback: () => undefined, fallbackText: "none", doc, secret: true, show };
}
