// Grammars in EBNF, in the notation of ISO 14977 (`rule = a, [ b ] ;`) or of the W3C (`rule ::= a b?`).

import { type Expression, GrammarError, inText, joined, type Rule } from "./grammar.ts";
import { type Notation, notationOf, type Token, tokensOf } from "./tokens.ts";

/** Deeper ones are not written by people, and reading one must end. */
const MOST_DEPTH = 100;
const MOST_TIMES = 1_000_000;

export function readGrammar(source: string): Rule[] {
  const notation = notationOf(source);
  const reader = new Reader(tokensOf(source, notation), notation);
  const rules: Rule[] = [];
  while (!reader.isAtEnd) rules.push(reader.rule());
  if (rules.length === 0) throw new GrammarError("The grammar has no rule.", 0);
  return rules;
}

class Reader {
  readonly #tokens: readonly Token[];
  readonly #notation: Notation;
  #at = 0;
  #depth = 0;

  constructor(tokens: readonly Token[], notation: Notation) {
    this.#tokens = tokens;
    this.#notation = notation;
  }

  get isAtEnd(): boolean {
    return this.#peek().type === "end";
  }

  rule(): Rule {
    const name = this.#name();
    if (name === undefined) throw this.#unexpected("A rule starts with its name");
    const sign = this.#notation === "iso" ? "=" : "::=";
    if (!this.#takes(sign)) throw this.#unexpected(`"${sign}" must follow the name "${name}"`);
    const expression = this.#choice();
    if (this.#notation === "iso") {
      const isEnded = this.#takes(";") || this.#takes(".");
      if (!isEnded && !this.isAtEnd) throw this.#unexpected(`The rule "${name}" ends with ";"`);
    } else {
      this.#takes(";");
      if (!this.isAtEnd && !this.#startsRule()) throw this.#unexpected(`The rule "${name}" cannot go on`);
    }
    return { name, expression };
  }

  #choice(): Expression {
    if (++this.#depth > MOST_DEPTH) throw new GrammarError("This grammar is nested too deeply.", this.#peek().offset);
    const parts = [this.#sequence()];
    const isIso = this.#notation === "iso";
    while (this.#takes("|") || (isIso && (this.#takes("/") || this.#takes("!")))) parts.push(this.#sequence());
    this.#depth--;
    return joined("choice", parts);
  }

  #sequence(): Expression {
    const parts: Expression[] = [];
    while (this.#startsTerm()) {
      parts.push(this.#difference());
      if (this.#notation === "iso" && !this.#takes(",")) break;
    }
    return joined("sequence", parts);
  }

  /** `a - b`: drawn as one box. */
  #difference(): Expression {
    const from = this.#repeated();
    if (!this.#takes("-")) return from;
    if (!this.#startsTerm()) throw this.#unexpected('An exception must follow "-"');
    return { type: "special", text: `${inText(from)} − ${inText(this.#repeated())}` };
  }

  #repeated(): Expression {
    const count = this.#notation === "iso" && this.#peek().type === "number" ? this.#next() : undefined;
    if (count !== undefined) {
      if (!this.#takes("*")) throw this.#unexpected('"*" must follow a number');
      return { type: "times", count: Math.min(MOST_TIMES, Number(count.text)), part: this.#primary() };
    }
    let part = this.#primary();
    while (this.#notation === "w3c") {
      if (this.#takes("?")) part = { type: "optional", part };
      else if (this.#takes("*")) part = { type: "repeated", part };
      else if (this.#takes("+")) part = { type: "at-least-once", part };
      else break;
    }
    return part;
  }

  #primary(): Expression {
    const name = this.#name();
    if (name !== undefined) return { type: "rule", text: name };
    const { type, text } = this.#peek();
    if (type === "string") return { type: "terminal", text: this.#next().text };
    if (type === "set" || type === "special") return { type: "special", text: this.#next().text };
    const close = type === "sign" ? BRACKETS.get(text) : undefined;
    if (close === undefined) throw this.#unexpected("A name, a string or a bracket must stand here");
    const open = this.#next();
    const part = this.#choice();
    if (!this.#takes(close)) {
      if (this.isAtEnd) throw new GrammarError(`This "${open.text}" is not closed.`, open.offset);
      throw this.#unexpected(`"${close}" is missing`);
    }
    if (open.text === "[") return { type: "optional", part };
    return open.text === "{" ? { type: "repeated", part } : part;
  }

  /** Names of ISO may be of several words. */
  #name(): string | undefined {
    if (this.#peek().type !== "name") return undefined;
    const words = [this.#next().text];
    while (this.#notation === "iso" && ["name", "number"].includes(this.#peek().type)) words.push(this.#next().text);
    return words.join(" ");
  }

  #startsTerm(): boolean {
    const { type, text } = this.#peek();
    if (this.#notation === "w3c" && this.#startsRule()) return false;
    if (type === "number") return this.#notation === "iso";
    return type === "sign" ? BRACKETS.has(text) && (this.#notation === "iso" || text === "(") : type !== "end";
  }

  #startsRule(): boolean {
    return this.#peek().type === "name" && this.#tokens[this.#at + 1]?.text === "::=";
  }

  #takes(sign: string): boolean {
    const { type, text } = this.#peek();
    if (type !== "sign" || text !== sign) return false;
    this.#at++;
    return true;
  }

  #peek(): Token {
    return this.#tokens[this.#at] as Token;
  }

  #next(): Token {
    const token = this.#peek();
    this.#at++;
    return token;
  }

  #unexpected(sentence: string): GrammarError {
    const { type, text, offset } = this.#peek();
    const found = type === "end" ? "the end of the grammar" : JSON.stringify(text.slice(0, 40));
    return new GrammarError(`${sentence}, not ${found}.`, offset);
  }
}

const BRACKETS: ReadonlyMap<string, string> = new Map([
  ["(", ")"],
  ["[", "]"],
  ["{", "}"],
]);
