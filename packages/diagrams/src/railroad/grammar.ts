// A grammar as a tree: what both notations of EBNF are read into.

export type Expression =
  | { readonly type: "terminal" | "rule" | "special"; readonly text: string }
  | { readonly type: "sequence" | "choice"; readonly parts: readonly Expression[] }
  | { readonly type: "optional" | "repeated" | "at-least-once"; readonly part: Expression }
  | { readonly type: "times"; readonly count: number; readonly part: Expression };

export interface Rule {
  readonly name: string;
  readonly expression: Expression;
}

/** A place where a grammar cannot be read. */
export class GrammarError extends Error {
  override readonly name = "GrammarError";
  readonly offset: number;

  constructor(message: string, offset: number) {
    super(message);
    this.offset = offset;
  }
}

/** One part stands for itself, none for nothing at all. */
export function joined(type: "sequence" | "choice", parts: readonly Expression[]): Expression {
  const [only] = parts;
  return parts.length === 1 && only !== undefined ? only : { type, parts };
}

/** As one writes it, for what is drawn as a single box. */
export function inText(expression: Expression): string {
  switch (expression.type) {
    case "terminal":
      return `"${expression.text}"`;
    case "rule":
    case "special":
      return expression.text;
    case "sequence":
      return expression.parts.map(inText).join(" ");
    case "choice":
      return `(${expression.parts.map(inText).join(" | ")})`;
    case "optional":
      return `${inText(expression.part)}?`;
    case "repeated":
      return `${inText(expression.part)}*`;
    case "at-least-once":
      return `${inText(expression.part)}+`;
    case "times":
      return `${expression.count} × ${inText(expression.part)}`;
  }
}
