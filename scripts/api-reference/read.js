// The exported symbols of one entry as data: what they are, what their doc comments say, and their members.

import { join } from "node:path";
import ts from "typescript-5.9";
import { docsOf } from "./docs-of.js";
import { root } from "./program.js";
import { isBag, isShape, oneLine, shapeText, signatureText, typeText } from "./types.js";

const { SymbolFlags } = ts;

/** Every entry with its symbols. What an interface inherits from another exported one is described there. */
export function readEntries({ program, checker }, entries) {
  const exportsOf = ({ file }) =>
    checker.getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(join(root, file))));
  const all = entries.flatMap(exportsOf).map((symbol) => resolved(symbol, checker));
  const reader = { checker, isExported: (symbol) => all.includes(symbol) };
  return entries.map((entry) => ({
    ...entry,
    symbols: exportsOf(entry)
      .map((symbol) => readSymbol(symbol, reader))
      .filter(({ internal }) => !internal)
      .sort(byName),
  }));
}

function resolved(symbol, checker) {
  return symbol.flags & SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
}

function readSymbol(exported, reader) {
  const symbol = resolved(exported, reader.checker);
  const { name } = exported;
  const source = symbol.declarations[0].getSourceFile().fileName;
  return { name, id: `${source}#${symbol.name}`, ...docsOf(symbol, reader.checker), ...bodyOf(name, symbol, reader) };
}

function bodyOf(name, symbol, reader) {
  const { checker } = reader;
  if (symbol.flags & SymbolFlags.Class) return classOf(name, symbol, checker);
  if (symbol.flags & SymbolFlags.Interface) return interfaceOf(name, symbol, reader);
  if (symbol.flags & SymbolFlags.TypeAlias) return aliasOf(name, symbol, checker);
  const type = checker.getTypeOfSymbol(symbol);
  const signatures = type.getCallSignatures().filter((each) => each.getDeclaration() !== undefined);
  if (signatures.length > 0) {
    return { kind: "function", code: signatures.map((each) => signatureText(name, each, checker)).join("\n") };
  }
  return { kind: "constant", code: `const ${name}: ${typeText(symbol, checker)}`, members: [] };
}

function classOf(name, symbol, checker) {
  const declaration = symbol.declarations.find(ts.isClassDeclaration);
  const statics = [...symbol.exports.values()].filter(isPublic).filter(({ name }) => name !== "prototype");
  const own = [...symbol.members.values()].filter(isPublic).filter((each) => each.flags & MEMBER);
  const constructed = checker.getTypeOfSymbol(symbol).getConstructSignatures();
  const open = constructed.filter((each) => each.getDeclaration() && isPublicDeclaration(each.getDeclaration()));
  return {
    kind: "class",
    code: [headOf("class", name, declaration), ...open.map((each) => newText(name, each, checker))].join("\n"),
    members: [
      ...statics.map((each) => memberOf(each, checker, `${name}.`)),
      ...own.map((each) => memberOf(each, checker)),
    ].filter(({ internal }) => !internal),
  };
}

const MEMBER = SymbolFlags.Property | SymbolFlags.Method | SymbolFlags.Accessor;

function newText(name, signature, checker) {
  return signatureText(`new ${name}`, signature, checker).replace(/\): [^)]*$/, ")");
}

function interfaceOf(name, symbol, { checker, isExported }) {
  const declaration = symbol.declarations.find(ts.isInterfaceDeclaration);
  const inherited = inheritedOf(declaration, { checker, isExported });
  const isOwn = ({ declarations = [] }) =>
    declarations.some(({ parent }) => parent === declaration) ||
    (declarations.length > 0 && !declarations.some((each) => inherited.has(each) || isExported(each.parent.symbol)));
  const own = checker.getPropertiesOfType(checker.getDeclaredTypeOfSymbol(symbol)).filter(isOwn);
  return {
    kind: "interface",
    code: headOf("interface", name, declaration),
    members: own.map((each) => memberOf(each, checker)).filter(({ internal }) => !internal),
  };
}

/** The members of the exported interfaces that an interface extends, also as `Partial<Settings>`. */
function inheritedOf(declaration, { checker, isExported }) {
  const members = new Set();
  const visit = (node) => {
    const symbol = ts.isIdentifier(node) ? checker.getSymbolAtLocation(node) : undefined;
    const named = symbol && resolved(symbol, checker);
    if (named && named.flags & SymbolFlags.Interface && isExported(named)) {
      const properties = checker.getPropertiesOfType(checker.getDeclaredTypeOfSymbol(named));
      for (const each of properties.flatMap(({ declarations = [] }) => declarations)) members.add(each);
    }
    ts.forEachChild(node, visit);
  };
  for (const clause of declaration.heritageClauses ?? []) visit(clause);
  return members;
}

function headOf(word, name, declaration) {
  const generics = (declaration.typeParameters ?? []).map((each) => oneLine(each.getText()));
  const heritage = (declaration.heritageClauses ?? []).flatMap(({ token, types }) => {
    // The members of options that are described as data are those of the interface itself.
    const bases = types.map((each) => oneLine(each.getText())).filter((each) => !/<typeof [A-Z_]+>$/.test(each));
    return bases.length > 0 ? [`${ts.tokenToString(token)} ${bases.join(", ")}`] : [];
  });
  return [`${word} ${name}${generics.length > 0 ? `<${generics.join(", ")}>` : ""}`, ...heritage].join(" ");
}

/** A written union or function type is shown whole, and so is a type of the language; an inferred object by its properties. */
function aliasOf(name, symbol, checker) {
  const declaration = symbol.declarations.find(ts.isTypeAliasDeclaration);
  const type = checker.getDeclaredTypeOfSymbol(symbol);
  const generics = (declaration.typeParameters ?? []).map((each) => oneLine(each.getText()));
  const head = `type ${name}${generics.length > 0 ? `<${generics.join(", ")}>` : ""}`;
  const isObject = generics.length === 0 && !type.isUnion() && type.flags & ts.TypeFlags.Object && !isBuiltIn(type);
  const properties = isObject && type.getCallSignatures().length === 0 ? checker.getPropertiesOfType(type) : [];
  if (properties.length === 0) return { kind: "type", code: `${head} = ${writtenType(declaration)}`, members: [] };
  return { kind: "type", code: head, members: properties.map((each) => memberOf(each, checker)) };
}

function isBuiltIn(type) {
  const [declaration] = type.symbol?.declarations ?? [];
  return declaration !== undefined && /[\\/]lib\.[^\\/]*\.d\.ts$/.test(declaration.getSourceFile().fileName);
}

function writtenType(declaration) {
  const text = declaration.type.getText().replace(/\n *\/\*\*[\s\S]*?\*\//g, "");
  return text.replace(/^( *)\| /gm, "$1| ");
}

function memberOf(symbol, checker, prefix = "") {
  const type = checker.getTypeOfSymbol(symbol);
  const docs = docsOf(symbol, checker);
  const base = { name: prefix + nameOf(symbol), ...docs, optional: Boolean(symbol.flags & SymbolFlags.Optional) };
  const signatures = symbol.flags & SymbolFlags.Method ? methodSignatures(symbol, type, checker, prefix) : [];
  if (signatures.length > 0) return { ...base, kind: "method", code: signatures.join("\n") };
  return { ...base, kind: "property", type: typeText(symbol, checker), members: nestedOf(symbol, type, checker) };
}

/** The compiler calls a member such as `[Symbol.asyncDispose]` by a number that changes. */
function nameOf({ name }) {
  return name.replace(/^__@(\w+)@\d+$/, "[Symbol.$1]");
}

/** Each overload with its own words; the implementation of an overloaded method is not one of them. */
function methodSignatures(symbol, type, checker, prefix) {
  return type.getCallSignatures().map((each) => {
    const text = ts.displayPartsToString(each.getDocumentationComment(checker));
    const several = type.getCallSignatures().length > 1 && text;
    return `${several ? `// ${oneLine(text)}\n` : ""}${signatureText(prefix + nameOf(symbol), each, checker)}`;
  });
}

/** The properties of an object without a name. */
function nestedOf(symbol, type, checker) {
  const present = checker.getNonNullableType(type);
  const element = checker.isArrayType(present) ? checker.getTypeArguments(present)[0] : present;
  const listed = element.getStringIndexType?.() ?? element;
  // A type with a name is described under that name.
  if (!listed || (listed.aliasSymbol && !isBag(listed)) || !isShape(listed) || listed.getCallSignatures().length > 0)
    return [];
  const path = element === present ? "." : "[].";
  const properties = checker.getPropertiesOfType(listed).filter((each) => !docsOf(each, checker).internal);
  return properties.map((each) => ({
    name: `${symbol.name}${path}${each.name}`,
    ...docsOf(each, checker),
    optional: Boolean(each.flags & SymbolFlags.Optional),
    written: each.declarations?.some(ts.isPropertySignature) ?? false,
    type: each.declarations?.some(ts.isPropertySignature)
      ? typeText(each, checker)
      : shapeText(checker.getTypeOfSymbol(each), checker),
  }));
}

function isPublic({ name, declarations = [] }) {
  return !name.startsWith("__") && declarations.every(isPublicDeclaration);
}

function isPublicDeclaration(declaration) {
  const hidden = ts.ModifierFlags.Private | ts.ModifierFlags.Protected;
  const isHash = declaration.name && ts.isPrivateIdentifier(declaration.name);
  const isInternal = ts.getJSDocTags(declaration).some(({ tagName }) => tagName.text === "internal");
  return !isHash && !isInternal && !(ts.getCombinedModifierFlags(declaration) & hidden);
}

function byName(a, b) {
  return a.name.toLowerCase() < b.name.toLowerCase() ? -1 : 1;
}
