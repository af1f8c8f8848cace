// One page for each entry: what it exports, in groups.

import { cell, code, fence, prose, slugger, table } from "./markdown.js";

const HEAD = "Written by `npm run api-reference` from the types and doc comments; a test keeps it true.";

export function writePages(entries) {
  const pages = withHomes(entries);
  const places = placesOf(pages);
  return new Map(pages.map((entry) => [entry.page, pageOf(entry, places)]));
}

/** A symbol of several entries is described on the page of the first; the others have a link. */
function withHomes(entries) {
  const seen = new Set();
  return entries.map((entry) => {
    const symbols = entry.symbols.filter(({ id }) => !seen.has(id));
    for (const { id } of symbols) seen.add(id);
    return { ...entry, symbols, others: entry.symbols.filter((symbol) => !symbols.includes(symbol)) };
  });
}

export function writeIndex(entries) {
  const rows = entries.map(({ name, page, intro }) => [`[\`${name}\`](${page})`, cell(intro)]);
  return `# Library reference\n\n${HEAD}\n\n${table(["Import", "For"], rows)}

The [table of options](../options.md) lists every option with its environment variable and default. Error codes are
explained in [troubleshooting](../../troubleshooting.md).\n`;
}

/** Where each symbol is described. */
function placesOf(entries) {
  const places = new Map();
  for (const entry of entries) {
    const slug = slugger();
    slug(titleOf(entry));
    for (const [title, symbols] of groupsOf(entry)) {
      slug(title);
      for (const { id, name, members = [] } of symbols) {
        places.set(id, { page: entry.page, anchor: slug(name) });
        for (const member of members) if (member.kind === "method") slug(headingOf(name, member));
      }
    }
  }
  return places;
}

function titleOf({ name }) {
  return `Import from ${name}`;
}

/** The groups of the entry, then all that they do not name. */
function groupsOf({ symbols, groups }) {
  const listed = Object.entries(groups).map(([title, names]) => [title, names.split(" ")]);
  const named = listed.map(([title, names]) => [
    title,
    symbols.filter(({ name }) => names.includes(name)).sort(inOrder(names)),
  ]);
  const rest = symbols.filter(({ name }) => !listed.some(([, names]) => names.includes(name)));
  const parts = [
    ...named,
    ["Functions and values", rest.filter(isValue)],
    ["Types", rest.filter((symbol) => !isValue(symbol))],
  ];
  return parts.filter(([, members]) => members.length > 0);
}

function inOrder(names) {
  return (a, b) => names.indexOf(a.name) - names.indexOf(b.name);
}

function isValue({ kind }) {
  return kind === "function" || kind === "class" || kind === "constant";
}

function pageOf(entry, places) {
  const groups = groupsOf(entry);
  const linked = ({ id, name }) => `[${name}](${linkTo(places.get(id), entry)})`;
  const contents = groups.map(([title, symbols]) => `| ${title} | ${symbols.map(linked).join(" · ")} |`);
  if (entry.others.length > 0) contents.push(`| Also here | ${entry.others.map(linked).join(" · ")} |`);
  const sections = groups.map(([title, symbols]) => `## ${title}\n\n${symbols.map(symbolText).join("\n\n")}`);
  const head = [`# ${titleOf(entry)}`, HEAD, prose(entry.intro), `| | |\n|---|---|\n${contents.join("\n")}`];
  return `${[...head, ...sections].join("\n\n")}\n`;
}

function linkTo({ page, anchor }, entry) {
  return page === entry.page ? `#${anchor}` : `${page}#${anchor}`;
}

function symbolText(symbol) {
  const { members = [] } = symbol;
  const parts = [
    `### ${symbol.name}`,
    fence(symbol.code),
    prose(withDefault(symbol)),
    propertyTable(members.filter(({ kind }) => kind === "property")),
    ...symbol.examples.map(fence),
    ...members.filter(({ kind }) => kind === "method").map((member) => methodText(symbol, member)),
  ];
  return parts.filter((part) => part !== "").join("\n\n");
}

function withDefault({ text, default: fallback }) {
  return fallback === undefined ? text : `${text} Default: ${fallback}.`;
}

function headingOf(name, member) {
  return `${name}.${member.name.replace(`${name}.`, "")}`;
}

function methodText(symbol, member) {
  const parts = [
    `#### ${headingOf(symbol.name, member)}`,
    fence(member.code),
    prose(withDefault(member)),
    ...member.examples.map(fence),
  ];
  return parts.join("\n\n");
}

function propertyTable(properties) {
  if (properties.length === 0) return "";
  const rows = properties.flatMap((property) => [
    property,
    ...(property.members ?? []).filter(({ text, default: fallback, internal }) => (text || fallback) && !internal),
  ]);
  const hasDefaults = rows.some((row) => row.default !== undefined);
  const head = ["Property", "Type", ...(hasDefaults ? ["Default"] : []), "Meaning"];
  return table(
    head,
    rows.map((row) => [
      code(row.name + (row.optional ? "?" : "")),
      code(row.optional ? row.type.replace(/ \| undefined$/, "") : row.type),
      ...(hasDefaults ? [cell(row.default ?? (row.optional ? "" : "required"))] : []),
      cell(row.text),
    ]),
  );
}
