// Types and signatures as text, as short as a reader can use them.

import ts from "typescript-5.9";

const FORMAT = ts.TypeFormatFlags.NoTruncation | ts.TypeFormatFlags.UseAliasDefinedOutsideCurrentScope;

/** As its author wrote it, where a type is written; as the compiler names it, where it is inferred. */
export function typeText(symbol, checker) {
  const declaration = symbol.valueDeclaration ?? symbol.declarations?.[0];
  const written = declaration?.type;
  if (written && !ts.isPropertyAssignment(declaration)) return oneLine(written.getText());
  const described = declaration && writtenInCall(declaration);
  if (described) return described;
  return shapeText(checker.getTypeOfSymbol(symbol), checker);
}

/** An option may write its type where it is described: `other<Clock>("a clock", isClock)`, `… as Option<Pace, undefined>`. */
function writtenInCall({ initializer }) {
  if (!initializer) return undefined;
  const isOption = ts.isAsExpression(initializer) && /^Option</.test(initializer.type.getText());
  const { typeArguments } = isOption ? initializer.type : initializer;
  return ts.isCallExpression(initializer) || isOption
    ? typeArguments?.[0] && oneLine(typeArguments[0].getText())
    : undefined;
}

/** Whether the type is that of a bag of described options, which has no name of its own. */
export function isBag({ aliasSymbol }) {
  return /^(Option|Whole)Values$/.test(aliasSymbol?.name ?? "");
}

/** Objects without a name are "object": their properties have rows of their own. */
export function shapeText(type, checker) {
  if (type.aliasSymbol && !isBag(type) && !type.aliasTypeArguments?.length) return type.aliasSymbol.name;
  if (type.isUnion()) {
    const parts = type.types.filter((each) => !(each.flags & ts.TypeFlags.Undefined));
    return [...new Set(parts.map((each) => shapeText(each, checker)))].join(" | ").replace("false | true", "boolean");
  }
  if (checker.isArrayType(type)) {
    const [element] = checker.getTypeArguments(type);
    const text = shapeText(element, checker);
    return text.includes(" ") ? `(${text})[]` : `${text}[]`;
  }
  if (isShape(type)) return type.getStringIndexType() ? recordText(type, checker) : "object";
  return checker.typeToString(type, undefined, FORMAT);
}

function recordText(type, checker) {
  return `Record<string, ${shapeText(type.getStringIndexType(), checker)}>`;
}

/** An object type without a name. */
export function isShape(type) {
  const { symbol } = type;
  return Boolean(
    type.flags & ts.TypeFlags.Object &&
      type.getCallSignatures().length === 0 &&
      (!symbol || symbol.name.startsWith("__")),
  );
}

/** `submit<Input>(kind: Kind<Input>, options?: SubmitOptions): Promise<void>`, over several lines if it is long. */
export function signatureText(name, signature, checker) {
  const declaration = signature.getDeclaration();
  const generics = (declaration.typeParameters ?? []).map((each) => oneLine(each.getText()));
  const parameters = declaration.parameters.map((each) => parameterText(each, checker));
  const result = declaration.type
    ? oneLine(declaration.type.getText())
    : checker.typeToString(signature.getReturnType(), declaration, FORMAT);
  const head = `${name}${generics.length > 0 ? `<${generics.join(", ")}>` : ""}`;
  const line = `${head}(${parameters.join(", ")}): ${result}`;
  if (line.length <= 110) return line;
  return `${head}(\n${parameters.map((each) => `  ${each},\n`).join("")}): ${result}`;
}

function parameterText(parameter, checker) {
  const name = ts.isIdentifier(parameter.name) ? parameter.name.text : "options";
  const mark = parameter.questionToken || parameter.initializer ? "?" : "";
  const rest = parameter.dotDotDotToken ? "..." : "";
  const type = parameter.type
    ? oneLine(parameter.type.getText())
    : checker.typeToString(checker.getTypeAtLocation(parameter), parameter, FORMAT);
  return `${rest}${name}${mark}: ${type}`;
}

/** Without the comments that stand inside a written type. */
export function oneLine(text) {
  return text
    .replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, "")
    .replace(/\s+/g, " ")
    .replace(/\(\s*\| /g, "(")
    .replace(/([([<]) /g, "$1")
    .replace(/,? ([)\]>])/g, "$1")
    .trim();
}
