import { existsSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { Config } from "../config.ts";
import type { Kind } from "../index.ts";
import { messageOf } from "../lib/app-error.ts";
import { UsageError } from "./command.ts";
import { shippedKinds } from "./engine.ts";

/** The kinds that ship and those of the given files, each name once. */
export async function allKinds(config: Config, files: readonly string[]): Promise<Kind[]> {
  const kinds = shippedKinds(config);
  for (const file of files) {
    for (const kind of await kindsOf(file)) {
      if (kinds.some(({ name }) => name === kind.name)) {
        throw new UsageError(`${file} brings a kind "${kind.name}", and there is one of that name already.`);
      }
      kinds.push(kind);
    }
  }
  return kinds;
}

/** What a module exports that is a kind: by default or by name, alone, in an array, or as `{ kinds }`. */
export async function kindsOf(file: string): Promise<Kind[]> {
  const path = resolve(file);
  if (!existsSync(path) || !statSync(path).isFile()) throw new UsageError(`--load: there is no file ${path}.`);
  const exported = await load(file, path);
  const found = new Set(Object.values(exported).flatMap(kindsIn));
  if (found.size === 0) {
    const names = Object.keys(exported).join(", ") || "nothing";
    throw new UsageError(
      `--load: ${file} exports no kind (it exports ${names}). Export what defineKind returns: ` +
        "by default, by name, in an array, or as { kinds: [...] }.",
    );
  }
  const empty = [...found].find(({ stages }) => stages.length === 0);
  if (empty)
    throw new UsageError(`--load: the kind "${empty.name}" in ${file} has no stage. Add .stage(name, { run }).`);
  return [...found];
}

async function load(file: string, path: string): Promise<Record<string, unknown>> {
  try {
    return await import(pathToFileURL(path).href);
  } catch (error) {
    const where = error instanceof Error ? error.stack?.split("\n").find((line) => line.includes(path)) : undefined;
    throw new UsageError(`--load: ${file} could not be loaded: ${messageOf(error)}${where ? `\n${where}` : ""}\n`);
  }
}

function kindsIn(value: unknown): Kind[] {
  if (isKind(value)) return [value];
  if (Array.isArray(value)) return value.filter(isKind);
  if (typeof value !== "object" || value === null || !("kinds" in value)) return [];
  return Array.isArray(value.kinds) ? value.kinds.filter(isKind) : [];
}

// By shape, not by class: the file may have a Millrace of its own under its node_modules.
function isKind(value: unknown): value is Kind {
  if (typeof value !== "object" || value === null) return false;
  const { name, schema, stages } = value as Partial<Kind>;
  return typeof name === "string" && typeof schema?.["~standard"] === "object" && Array.isArray(stages);
}
