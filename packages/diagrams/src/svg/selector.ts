// Selectors, compiled once to functions. They read elements through the few members that both our own tree and the DOM have.

import { splitOutside } from "./css.ts";

export interface Selectable {
  readonly localName: string;
  readonly parentElement: Selectable | null;
  readonly previousElementSibling: Selectable | null;
  readonly nextElementSibling: Selectable | null;
  getAttribute(name: string): string | null;
}

export interface Selector {
  /** Ids, then classes and attributes, then names, in one number that compares as CSS asks. */
  readonly specificity: number;
  /** What an element must have to match at all, to find the few rules worth trying: `#id`, `.class`, `name` or `*`. */
  readonly key: string;
  matches(element: Selectable): boolean;
}

type Test = (element: Selectable) => boolean;
interface Compound {
  readonly tests: Test[];
  readonly weight: number;
  readonly key: string;
}

/** Undefined for what we do not know (`:hover`, `::before`): a rule that never applies to a drawing at rest. */
export function compileSelector(text: string): Selector | undefined {
  const parts = tokens(text);
  if (parts === undefined) return undefined;
  let matches: Test | undefined;
  let weight = 0;
  let key = "*";
  let combinator = "";
  for (const part of parts) {
    if (part.length === 1 && " >+~".includes(part)) {
      combinator = part;
      continue;
    }
    const compound = compileCompound(part);
    if (compound === undefined) return undefined;
    matches = join(matches, combinator, allOf(compound.tests));
    weight += compound.weight;
    key = compound.key;
  }
  return matches === undefined ? undefined : { specificity: weight, key, matches };
}

/** `a > .b:not(.c) d` as `["a", ">", ".b:not(.c)", " ", "d"]`. */
function tokens(text: string): string[] | undefined {
  const parts: string[] = [];
  const pattern = /\s*([>+~])\s*|(\s+)|((?:[^\s>+~([]|\[[^\]]*\]|\((?:[^()]|\([^()]*\))*\)|\\.)+)/gy;
  const trimmed = text.trim();
  while (pattern.lastIndex < trimmed.length) {
    const found = pattern.exec(trimmed);
    if (found === null) return undefined;
    parts.push(found[1] ?? (found[2] === undefined ? (found[3] ?? "") : " "));
  }
  return parts.length > 0 ? parts : undefined;
}

function join(left: Test | undefined, combinator: string, right: Test): Test {
  if (left === undefined) return right;
  switch (combinator) {
    case ">":
      return (element) => right(element) && element.parentElement !== null && left(element.parentElement);
    case "+":
      return (element) =>
        right(element) && element.previousElementSibling !== null && left(element.previousElementSibling);
    case "~":
      return (element) => right(element) && anyOf(element, "previousElementSibling", left);
    default:
      return (element) => right(element) && anyOf(element, "parentElement", left);
  }
}

function anyOf(element: Selectable, step: "parentElement" | "previousElementSibling", test: Test): boolean {
  for (let next = element[step]; next !== null; next = next[step]) if (test(next)) return true;
  return false;
}

function compileCompound(text: string): Compound | undefined {
  const tests: Test[] = [];
  let weight = 0;
  let key = "*";
  const pattern =
    /(\*)|([\w-]+)|#((?:[\w-]|[^\0-\x7f]|\\.)+)|\.((?:[\w-]|[^\0-\x7f]|\\.)+)|\[([^\]]*)\]|:([\w-]+)(?:\(((?:[^()]|\([^()]*\))*)\))?/gy;
  while (pattern.lastIndex < text.length) {
    const found = pattern.exec(text);
    if (found === null) return undefined;
    const [, any, name, id, className, attribute, pseudo, argument] = found;
    if (any !== undefined) continue;
    if (name !== undefined) {
      tests.push((element) => element.localName === name);
      weight += 1;
      if (key === "*") key = name;
    } else if (id !== undefined) {
      const wanted = withoutEscapes(id);
      tests.push((element) => element.getAttribute("id") === wanted);
      weight += 1_000_000;
      key = `#${wanted}`;
    } else if (className !== undefined) {
      const wanted = withoutEscapes(className);
      tests.push((element) => hasClass(element, wanted));
      weight += 1000;
      if (!key.startsWith("#")) key = `.${wanted}`;
    } else if (attribute !== undefined) {
      const test = compileAttribute(attribute);
      if (test === undefined) return undefined;
      tests.push(test);
      weight += 1000;
    } else if (pseudo !== undefined) {
      const compiled = compilePseudo(pseudo, argument);
      if (compiled === undefined) return undefined;
      tests.push(compiled.test);
      weight += compiled.weight;
    }
  }
  return { tests, weight, key };
}

function compileAttribute(text: string): Test | undefined {
  const found = /^\s*([\w:-]+)\s*(?:([~|^$*]?=)\s*(?:"([^"]*)"|'([^']*)'|([^\s"']+))\s*[is]?)?\s*$/.exec(text);
  if (found === null) return undefined;
  const [, name = "", operator, double, single, bare] = found;
  const wanted = double ?? single ?? bare ?? "";
  const test = (check: (value: string) => boolean): Test => {
    return (element) => {
      const value = element.getAttribute(name);
      return value !== null && check(value);
    };
  };
  switch (operator) {
    case undefined:
      return test(() => true);
    case "=":
      return test((value) => value === wanted);
    case "~=":
      return test((value) => value.split(/\s+/).includes(wanted));
    case "|=":
      return test((value) => value === wanted || value.startsWith(`${wanted}-`));
    case "^=":
      return test((value) => wanted !== "" && value.startsWith(wanted));
    case "$=":
      return test((value) => wanted !== "" && value.endsWith(wanted));
    default:
      return test((value) => wanted !== "" && value.includes(wanted));
  }
}

function compilePseudo(name: string, argument: string | undefined): { test: Test; weight: number } | undefined {
  const place = (test: Test) => ({ test, weight: 1000 });
  switch (name) {
    case "root":
      return place((element) => element.parentElement === null);
    case "first-child":
      return place((element) => element.previousElementSibling === null);
    case "last-child":
      return place((element) => element.nextElementSibling === null);
    case "only-child":
      return place((element) => element.previousElementSibling === null && element.nextElementSibling === null);
    case "first-of-type":
      return place((element) => positionOf(element, (sibling) => sibling.localName === element.localName) === 1);
    case "nth-child":
    case "nth-of-type": {
      const formula = compileNth(argument ?? "");
      const ofType = name === "nth-of-type";
      if (formula === undefined) return undefined;
      return place((element) => {
        return formula(positionOf(element, (sibling) => !ofType || sibling.localName === element.localName));
      });
    }
    case "not":
    case "is":
    case "where": {
      const choices = splitOutside(argument ?? "", ",").map(compileSelector);
      const known = choices.filter((choice) => choice !== undefined);
      // Unknown inside :not() is as good as "never matches", so :not() holds; inside :is() it is left out.
      const some: Test = (element) => known.some((choice) => choice.matches(element));
      const weight = name === "where" ? 0 : Math.max(0, ...known.map((choice) => choice.specificity));
      return { test: name === "not" ? (element) => !some(element) : some, weight };
    }
    default:
      return undefined;
  }
}

function compileNth(text: string): ((position: number) => boolean) | undefined {
  const formula = text.trim().toLowerCase().replace("odd", "2n+1").replace("even", "2n").replace(/\s+/g, "");
  const found = /^(?:([+-]?\d*)n)?([+-]?\d+)?$/.exec(formula);
  if (found === null || formula === "") return undefined;
  const [, factor, offset = "0"] = found;
  const b = Number(offset);
  if (factor === undefined) return (position) => position === b;
  const a = factor === "" || factor === "+" ? 1 : factor === "-" ? -1 : Number(factor);
  return (position) => (a === 0 ? position === b : (position - b) % a === 0 && (position - b) / a >= 0);
}

function positionOf(element: Selectable, counts: Test): number {
  let position = 1;
  for (let other = element.previousElementSibling; other !== null; other = other.previousElementSibling)
    if (counts(other)) position++;
  return position;
}

function hasClass(element: Selectable, wanted: string): boolean {
  const value = element.getAttribute("class");
  if (value === null || !value.includes(wanted)) return false;
  return value === wanted || ` ${value.replace(/\s/g, " ")} `.includes(` ${wanted} `);
}

function allOf(tests: readonly Test[]): Test {
  const [first, second] = tests;
  if (first === undefined) return () => true;
  if (second === undefined) return first;
  return (element) => tests.every((test) => test(element));
}

function withoutEscapes(text: string): string {
  return text.replace(/\\(.)/g, "$1");
}
