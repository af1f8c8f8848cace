// What a doc comment says: text, default and examples. A wire shape says it in `.meta({ description })` instead.

import ts from "typescript-5.9";

/** `{ text, default, examples, internal }` of a symbol. */
export function docsOf(symbol, checker) {
  const comment = ts.displayPartsToString(symbol.getDocumentationComment(checker)) || wireDescription(symbol);
  const tags = symbol.getJsDocTags(checker);
  return {
    ...splitDefault(comment.trim()),
    examples: tags.filter(({ name }) => name === "example").map(({ text }) => codeOf(ts.displayPartsToString(text))),
    internal: tags.some(({ name }) => name === "internal"),
  };
}

/** "How long a job is kept, in milliseconds. Default: 7 days." The last sentence has a column of its own. */
function splitDefault(comment) {
  const [, text, fallback] = /^([\s\S]*?)\s*\bDefault:\s([\s\S]+?)\.?$/.exec(comment) ?? [];
  return fallback === undefined ? { text: comment } : { text, default: fallback };
}

function codeOf(example) {
  const fenced = /```ts\n([\s\S]*?)```/.exec(example);
  return (fenced?.[1] ?? example).trimEnd();
}

function wireDescription(symbol) {
  for (const declaration of symbol.declarations ?? []) {
    const text = ts.isPropertyAssignment(declaration) && describedIn(declaration.initializer);
    if (text) return text;
  }
  return "";
}

/** The description that the last call of a chain such as `z.string().optional().meta({ description })` gives. */
function describedIn(expression) {
  if (isSetting(expression)) return textIn(expression.arguments.at(-1));
  if (ts.isObjectLiteralExpression(expression)) {
    const spread = expression.properties.find(ts.isSpreadAssignment);
    return spread ? describedIn(spread.expression) : "";
  }
  if (!ts.isCallExpression(expression) || !ts.isPropertyAccessExpression(expression.expression)) return "";
  const { name, expression: before } = expression.expression;
  const [argument] = expression.arguments;
  if (name.text === "meta" && argument && ts.isObjectLiteralExpression(argument)) {
    const given = argument.properties.find((each) => each.name?.getText() === "description");
    if (given && ts.isPropertyAssignment(given)) return textIn(given.initializer);
  }
  return describedIn(before);
}

/** `setting("PORT", integer, 3000, "Port to listen on.")`: its last argument is its documentation. */
function isSetting(expression) {
  return ts.isCallExpression(expression) && /^(setting|secret)$/.test(expression.expression.getText());
}

function textIn(expression) {
  if (ts.isStringLiteralLike(expression)) return expression.text;
  return ts.isBinaryExpression(expression) ? textIn(expression.left) + textIn(expression.right) : "";
}
