// Types that a public declaration leads to and that no entry exports. A package that exports a value of such a type cannot
// emit declarations (TS2742, TS2883): the compiler has no name for it.

import { join } from "node:path";
import ts from "typescript-5.9";
import { root } from "./program.js";

const { SymbolFlags } = ts;
const NAMED = SymbolFlags.Interface | SymbolFlags.Class | SymbolFlags.TypeAlias;

export function unnamedTypes({ program, checker }, entries) {
  const named = new Set(entries.flatMap(({ file }) => exportsOf(program, checker, file)));
  const seen = new Set();
  const unnamed = new Map();
  const visit = (symbol, from) => {
    if (seen.has(symbol)) return;
    seen.add(symbol);
    if (!isOurs(symbol)) return;
    if (!named.has(symbol) && symbol.flags & NAMED && isExported(symbol)) unnamed.set(symbol, from);
    // The implementation of an overloaded function is no declaration of it.
    const overloaded = symbol.declarations.length > 1;
    for (const declaration of symbol.declarations) {
      if (!(overloaded && declaration.body)) walk(declaration, symbol.name);
    }
  };
  const walk = (node, from) => {
    if (isHidden(node) || ts.isBlock(node) || ts.isTypeQueryNode(node)) return;
    // A base type need not have a name outside: what it declares belongs to the type that extends it.
    if (ts.isHeritageClause(node)) {
      for (const member of node.types.flatMap((base) => baseMembers(base, checker))) {
        const described = member.declarations?.some(ts.isPropertyAssignment);
        // An option that is described as data declares the type of its value.
        if (described) for (const symbol of symbolsOf(checker.getTypeOfSymbol(member))) visit(symbol, from);
        else for (const declaration of member.declarations ?? []) walk(declaration, from);
      }
      return;
    }
    if (ts.isTypeReferenceNode(node)) {
      const symbol = resolved(checker.getSymbolAtLocation(node.typeName), checker);
      if (symbol) visit(symbol, from);
    }
    if (ts.isVariableDeclaration(node) || ts.isPropertyDeclaration(node)) {
      if (node.type) walk(node.type, from);
      else for (const symbol of symbolsOf(checker.getTypeAtLocation(node))) visit(symbol, from);
      return;
    }
    ts.forEachChild(node, (child) => walk(child, from));
  };
  for (const symbol of named) visit(symbol, "");
  return [...unnamed].map(([symbol, from]) => `${symbol.name} (of ${from}) in ${placeOf(symbol)}`);
}

function exportsOf(program, checker, file) {
  const module = checker.getSymbolAtLocation(program.getSourceFile(join(root, file)));
  return checker.getExportsOfModule(module).map((symbol) => resolved(symbol, checker));
}

function resolved(symbol, checker) {
  return symbol && symbol.flags & SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
}

function baseMembers(base, checker) {
  return checker.getPropertiesOfType(checker.getTypeAtLocation(base));
}

function symbolsOf(type) {
  return [type.aliasSymbol, type.symbol].filter((symbol) => symbol !== undefined);
}

function isOurs({ declarations = [] }) {
  return (
    declarations.length > 0 && declarations.every((each) => placeOf({ declarations: [each] }).startsWith("packages/"))
  );
}

function placeOf({ declarations }) {
  return declarations[0].getSourceFile().fileName.slice(root.length);
}

/** A type that its own file keeps to itself: the compiler writes out what it stands for. */
function isExported({ declarations }) {
  return declarations.some((each) => ts.getCombinedModifierFlags(each) & ts.ModifierFlags.Export);
}

function isHidden(node) {
  const isHash = node.name && ts.isPrivateIdentifier(node.name);
  const internal = ts.getJSDocTags(node).some(({ tagName }) => tagName.text === "internal");
  return (
    isHash ||
    internal ||
    Boolean(ts.canHaveModifiers(node) && ts.getCombinedModifierFlags(node) & ts.ModifierFlags.Private)
  );
}
