// The icons of Font Awesome, of logos, and of every other icon pack that is installed as `@iconify-json/<prefix>`. Nothing is
// fetched: a pack that is not there is named in a warning.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { packageFolder } from "../../package-folder.ts";

/** As the packages of Iconify have it. */
export interface IconPack {
  readonly prefix: string;
  readonly icons: Readonly<Record<string, object>>;
  readonly aliases?: Readonly<Record<string, { readonly parent: string }>>;
  readonly width?: number;
  readonly height?: number;
}

/** Font Awesome's prefixes, and where their names are looked up. Version 6 leads; 5 and 4 have names that it dropped. */
const FONT_AWESOME: Readonly<Record<string, readonly string[]>> = {
  fa: ["fa6-solid", "fa6-brands", "fa6-regular", "fa-solid", "fa"],
  fas: ["fa6-solid", "fa-solid", "fa"],
  far: ["fa6-regular", "fa"],
  fab: ["fa6-brands", "fa"],
};
const PREFIX = /^[a-z\d]+(?:-[a-z\d]+)*$/;
export const ICON_PACKAGES = "@iconify-json";

/** The pack that a prefix means; undefined if it is not installed. */
export function iconPack(prefix: string): IconPack | undefined {
  if (!PREFIX.test(prefix)) return undefined;
  const packs = (FONT_AWESOME[prefix] ?? [prefix]).flatMap((name) => readPack(name) ?? []);
  return packs.length === 0 ? undefined : merged(prefix, packs);
}

function readPack(name: string): IconPack | undefined {
  const folder = packageFolder(`${ICON_PACKAGES}/${name}`);
  if (folder === undefined) return undefined;
  return JSON.parse(readFileSync(join(folder.path, "icons.json"), "utf8")) as IconPack;
}

/** The first pack that has a name decides. Each icon gets the size of its own pack, because packs differ. */
function merged(prefix: string, packs: readonly IconPack[]): IconPack {
  const icons: Record<string, object> = {};
  const aliases: Record<string, { parent: string }> = {};
  for (const { icons: own, aliases: others = {}, width = 16, height = 16 } of packs) {
    const isFree = (name: string) => !Object.hasOwn(icons, name) && !Object.hasOwn(aliases, name);
    const fresh = Object.keys(own).filter(isFree);
    const named = Object.keys(others).filter(isFree);
    for (const name of fresh) icons[name] = { width, height, ...own[name] };
    for (const name of named) {
      const alias = others[name];
      if (alias !== undefined) aliases[name] = alias;
    }
  }
  return { prefix, icons, aliases };
}

const MOST_NAMED = 5;

/** One sentence about the icons that were not drawn. */
export function iconsNotDrawn(names: readonly string[]): string | undefined {
  if (names.length === 0) return undefined;
  const all = [...new Set(names)];
  const more = all.length > MOST_NAMED ? ` and ${all.length - MOST_NAMED} more` : "";
  const absent = [...new Set(all.map(prefixOf))].find((prefix) => PREFIX.test(prefix) && !isInstalled(prefix));
  const shown = all.slice(0, MOST_NAMED).map((name) => name.slice(0, 80));
  const hint =
    absent === undefined
      ? "Check the names."
      : `Icons of the pack "${absent}" need its package: npm install ${ICON_PACKAGES}/${absent}`;
  return `Icons were not found: ${shown.join(", ")}${more}. ${hint}`;
}

function prefixOf(name: string): string {
  return name.includes(":") ? name.slice(0, name.indexOf(":")) : "";
}

function isInstalled(prefix: string): boolean {
  return Object.hasOwn(FONT_AWESOME, prefix) || packageFolder(`${ICON_PACKAGES}/${prefix}`) !== undefined;
}
