// A database as a graph in Graphviz's language: a node for each table and enum, a cluster for each group, an edge for each
// reference, from column to column.

import type { Column, Database, Enum, Ref, Table } from "@dbml/parse";
import { isColour } from "../colour.ts";

const HEAD = "#1d4e79";
const ENUM_HEAD = "#6b4e16";
const LINE = "#5b6770";
const MOST_TYPE_CHARS = 60;

export function graphOf(database: Database): string {
  const { tables, enums, refs, tableGroups } = database;
  const ids = new Map<string, string>();
  for (const [at, table] of tables.entries()) ids.set(nameOf(table), `t${at}`);
  for (const [at, each] of enums.entries()) ids.set(`enum ${nameOf(each)}`, `e${at}`);
  const ports = new Map(
    tables.map((table) => [nameOf(table), new Map(table.fields.map(({ name }, at) => [name, `f${at}`]))]),
  );
  const groups = tableGroups.map((group, at) => {
    const inside = group.tables.flatMap((table) => ids.get(nameOf(table)) ?? []);
    return `subgraph cluster_${at} { label=${quoted(group.name ?? "")}; color="#9aa5b1"; style=rounded; fontsize=12; ${inside.join("; ")} }`;
  });
  return [
    "digraph {",
    'graph [rankdir=LR, nodesep=0.4, ranksep=0.9, pad=0.1]; node [shape=plain, fontsize=11]; edge [dir=both, fontsize=10, color="#5b6770", fontcolor="#5b6770", arrowsize=0.8];',
    ...tables.map((table) => `${ids.get(nameOf(table))} [label=<${tableLabel(table)}>${tooltip(table.note?.value)}];`),
    ...enums.map((each) => `${ids.get(`enum ${nameOf(each)}`)} [label=<${enumLabel(each)}>];`),
    ...groups,
    ...refs.flatMap((ref) => edge(ref, ids, ports) ?? []),
    "}",
  ].join("\n");
}

interface QualifiedName {
  readonly name: string;
  readonly schemaName: string | null;
}

function nameOf({ name, schemaName }: QualifiedName): string {
  return schemaName === null || schemaName === "public" ? name : `${schemaName}.${name}`;
}

function tableLabel(table: Table): string {
  const colour = table.headerColor && isColour(table.headerColor) ? table.headerColor : HEAD;
  const rows = table.fields.map((field, at) => columnRow(field, `f${at}`));
  return frame(nameOf(table), colour, rows);
}

function columnRow(field: Column, port: string): string {
  const marks = [
    field.pk === true && "PK",
    field.unique === true && "U",
    field.not_null === true && "NN",
    field.increment === true && "++",
  ].filter((mark) => mark !== false);
  const name = field.pk === true ? `<b>${escaped(field.name)}</b>` : escaped(field.name);
  const type = escaped(typeOf(field));
  return `<tr><td port="${port}" align="left">${name}   </td><td align="left"><font color="#4a5560">${type || " "}</font></td><td port="${port}e" align="right"><font color="#8a5a00">${marks.join(" ") || " "}</font></td></tr>`;
}

function typeOf({ type }: Column): string {
  const name = type.schemaName === null ? type.type_name : `${type.schemaName}.${type.type_name}`;
  return name.length > MOST_TYPE_CHARS ? `${name.slice(0, MOST_TYPE_CHARS).toWellFormed()}…` : name;
}

function enumLabel(each: Enum): string {
  const rows = each.values.map(({ name }) => `<tr><td colspan="3" align="left">${escaped(name)}</td></tr>`);
  return frame(`enum ${nameOf(each)}`, ENUM_HEAD, rows);
}

function frame(title: string, colour: string, rows: readonly string[]): string {
  const head = `<tr><td colspan="3" bgcolor="${colour}"><font color="white"><b>${escaped(title)}</b></font></td></tr>`;
  return `<table border="1" cellborder="0" cellspacing="0" cellpadding="5" color="${LINE}" bgcolor="white">${head}${rows.join("")}</table>`;
}

/** From the side of one row to that of many, so that what is referred to stands on the left. */
function edge(
  { endpoints: [first, second], name, color }: Ref,
  ids: ReadonlyMap<string, string>,
  ports: ReadonlyMap<string, ReadonlyMap<string, string>>,
): string | undefined {
  const [from, to] = isMany(first.relation) && !isMany(second.relation) ? [second, first] : [first, second];
  const end = (of: typeof from, side: "e" | "w") => {
    const [field = ""] = of.fieldNames;
    const named = { name: of.tableName, schemaName: of.schemaName };
    const [id, port] = [ids.get(nameOf(named)), ports.get(nameOf(named))?.get(field)];
    return id === undefined ? undefined : port === undefined ? id : `${id}:${side === "e" ? `${port}e` : port}:${side}`;
  };
  const [tail, head] = [end(from, "e"), end(to, "w")];
  if (tail === undefined || head === undefined) return undefined;
  const looks = [
    `arrowtail=${ARROWS[markOf(from.relation)]}`,
    `arrowhead=${ARROWS[markOf(to.relation)]}`,
    ...(!name ? [] : [`label=${quoted(name)}`]),
    ...(color && isColour(color) ? [`color=${quoted(color)}`] : []),
  ];
  return `${tail} -> ${head} [${looks.join(", ")}];`;
}

const ARROWS = { many: "crow", one: "tee", optional: "teeodot" } as const;

/** `*`, `1`, `0..1` and `0..*`. */
function markOf(relation: string): keyof typeof ARROWS {
  if (isMany(relation)) return "many";
  return relation.startsWith("0") ? "optional" : "one";
}

function isMany(relation: string): boolean {
  return relation.endsWith("*");
}

function tooltip(note: string | undefined): string {
  return !note ? "" : `, tooltip=${quoted(note)}`;
}

function quoted(text: string): string {
  return `"${text.replace(/\\/g, "\\\\").replace(/"/g, '\\"').replace(/\r?\n/g, "\\n")}"`;
}

/** For HTML labels, where an empty text is a fault. */
function escaped(text: string): string {
  const safe = text
    .replace(/[\p{Cc}\p{Cs}]/gu, " ")
    .replace(/&/g, "&amp;")
    .replace(/</g, "&lt;")
    .replace(/>/g, "&gt;");
  return safe.trim() === "" ? " " : safe;
}
