// A statement whose parameters have names: `:stage` instead of `$3`. The names become numbers once, when the module loads, so a
// call costs one array.

import type { Value } from "./connection.ts";

/** What `Runner.run` takes: the text with numbered parameters, and their values in that order. */
export type Query = [text: string, values: Value[]];

/** Makes the query from the values of all its parameters: `tx.run(...LOCK({ stage, keys }))`. */
export type Statement<Parameters> = (parameters: Parameters) => Query;

/**
 * A colon before a letter. Two colons are a cast, and no quoted string in our statements has a colon before a letter.
 */
const PARAMETER = /(?<!:):([a-z]\w*)/gi;

export function statement<Parameters extends { [Name in keyof Parameters]: Value }>(
  text: string,
): Statement<Parameters> {
  const names: (keyof Parameters)[] = [];
  const numbered = text.replace(PARAMETER, (_, name: keyof Parameters & string) => {
    if (!names.includes(name)) names.push(name);
    return `$${names.indexOf(name) + 1}`;
  });
  return (parameters) => [numbered, names.map((name) => parameters[name])];
}
