// Which workloads this process serves: those that MILLRACE_LOAD or the project's package.json names, and those of --load.

import { readFileSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { readEnvironment } from "../config.ts";
import type { Kind } from "../index.ts";
import { messageOf } from "../lib/app-error.ts";
import { checkWorkloads } from "../workload/check.ts";
import { defineWorkload, isWorkload, type Workload } from "../workload/workload.ts";
import { UsageError } from "./arguments/command.ts";
import { type InstalledWorkload, installedWorkloads } from "./installed-workloads.ts";
import { loadProblem } from "./load-problem.ts";

let named: Promise<Workload[]> | undefined;

/** The workloads that the project names, loaded once. */
export function projectWorkloads(): Promise<Workload[]> {
  named ??= loadAll(projectModules());
  return named;
}

/** The workloads whose commands this command line has: those of the project, and those of the packages that it has installed. */
export async function workloadsWithCommands(): Promise<Workload[]> {
  const known = await projectWorkloads();
  const installed = await Promise.all(installedWorkloads(process.cwd()).map(loadInstalled));
  const names = new Set(known.map(({ name }) => name));
  return [...known, ...installed.flat().filter(({ name }) => !names.has(name))];
}

/** One package that does not load takes no command of the others away. */
async function loadInstalled({ name, file }: InstalledWorkload): Promise<Workload[]> {
  try {
    return await load(file);
  } catch (error) {
    const reason = messageOf(error)
      .replace(/^--load: /, "")
      .trimEnd();
    process.stderr.write(`millrace: The commands of the package "${name}" are missing: ${reason}\n`);
    return [];
  }
}

/**
 * The workloads of the project, and of the modules that the command names with --load. If neither names any, it is the demo
 * workload `text`: a project with kinds of its own gets no demo kind in its store.
 */
export async function allWorkloads(modules: readonly string[] = []): Promise<Workload[]> {
  const known = await projectWorkloads();
  const names = new Set(known.map(({ name }) => name));
  const more = await Promise.all(modules.map(load));
  const all = [...known, ...more.flat().filter(({ name }) => !names.has(name))];
  checkWorkloads(all);
  return all.length === 0 ? [await demoWorkload()] : all;
}

/**
 * The demo workload. It is loaded when it is needed: its kinds need the engine, and a command such as `jobs list`
 * starts three times as fast without.
 */
async function demoWorkload(): Promise<Workload> {
  const { textWorkload } = await import("../workloads/text/workload.ts");
  return textWorkload;
}

/** The files behind the workloads of the project and of --load, without loading them. */
export function entryFiles(modules: readonly string[] = []): string[] {
  return [...new Set([...projectModules(), ...modules].map((module) => pathOf(module)))];
}

async function loadAll(modules: readonly string[]): Promise<Workload[]> {
  const all = (await Promise.all(modules.map(load))).flat();
  checkWorkloads(all);
  return all;
}

/** MILLRACE_LOAD, else `"millrace": { "load": [...] }` in the project's package.json. */
function projectModules(): string[] {
  const { MILLRACE_LOAD: given } = readEnvironment();
  if (given !== undefined) return given.split(",").flatMap((name) => name.trim() || []);
  // A clone serves its own workloads from any folder: its package.json is above this file.
  const found = findLoads(process.cwd()) ?? findLoads(import.meta.dirname);
  return found?.names.map((name) => pathOf(name, found.folder)) ?? [];
}

function findLoads(folder: string): { folder: string; names: string[] } | undefined {
  for (let at = folder; ; at = dirname(at)) {
    const load = readLoads(join(at, "package.json"));
    if (Array.isArray(load)) return { folder: at, names: load.filter((name) => typeof name === "string") };
    if (at === dirname(at)) return undefined;
  }
}

function readLoads(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, "utf8"))?.millrace?.load;
  } catch {
    return undefined;
  }
}

/**
 * What a module exports: workloads, and kinds by default or by name, alone, in an array, or as `{ kinds }`. A default export
 * that is a function is called without arguments for the same. Other functions are not called: they may be anything.
 */
async function load(module: string): Promise<Workload[]> {
  const exported = await importModule(module);
  const values = [...Object.values(exported), ...(await built(module, exported["default"]))];
  const workloads = [...new Set(values.flatMap(workloadsIn))];
  const kinds = [...new Set(values.flatMap(kindsIn))];
  if (workloads.length === 0 && kinds.length === 0) throw nothingToLoad(module, exported);
  const empty = kinds.find(({ stages }) => stages.length === 0);
  if (empty)
    throw new UsageError(`--load: the kind "${empty.name}" in ${module} has no stage. Add .stage(name, { run }).`);
  return kinds.length === 0 ? workloads : [...workloads, workloadOf(module, kinds)];
}

/** What the default export returns if it is a function, such as one that opens a connection and gives it to the kinds. */
async function built(module: string, make: unknown): Promise<unknown[]> {
  if (typeof make !== "function" || /^class\b/.test(Function.prototype.toString.call(make))) return [];
  try {
    return [await make()];
  } catch (error) {
    throw new UsageError(`--load: the default export of ${module} failed: ${loadProblem(error)}\n`);
  }
}

function nothingToLoad(module: string, exported: Record<string, unknown>): UsageError {
  const names = Object.keys(exported).join(", ") || "nothing";
  const functions = Object.keys(exported).filter((name) => name !== "default" && typeof exported[name] === "function");
  const hint =
    functions.length === 0
      ? ""
      : ` Functions are not called, except the default export: export default () => ${functions[0]}(…).`;
  return new UsageError(
    `--load: ${module} exports no workload and no kind (it exports ${names}). Export what defineWorkload or defineKind returns: ` +
      `by default, by name, in an array, or as { kinds: [...] }.${hint}`,
  );
}

/** A file of kinds is a workload without a name of its own. */
function workloadOf(module: string, kinds: readonly Kind[]): Workload {
  const name = module
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replace(/^[^a-z]+/, "")
    .slice(-40);
  return defineWorkload({ name: `kinds-of-${name.replace(/^-/, "")}`, kinds });
}

async function importModule(module: string): Promise<Record<string, unknown>> {
  const path = pathOf(module);
  try {
    return await import(pathToFileURL(path).href);
  } catch (error) {
    throw new UsageError(`--load: ${module} could not be loaded: ${loadProblem(error)}\n`);
  }
}

/** A path from this folder, or the name of a package: one that the project there has installed, or this one. */
function pathOf(module: string, folder = process.cwd()): string {
  const path = resolve(folder, module);
  if (statSync(path, { throwIfNoEntry: false })?.isFile()) return path;
  const found = resolved(module, join(folder, "package.json")) ?? resolved(module, import.meta.filename);
  if (found !== undefined) return found;
  throw new UsageError(`--load: there is no file ${path}, and no package "${module}" is installed here.`);
}

function resolved(module: string, from: string): string | undefined {
  try {
    return createRequire(from).resolve(module);
  } catch {
    return undefined;
  }
}

function workloadsIn(value: unknown): Workload[] {
  return (Array.isArray(value) ? value : [value]).filter(isWorkload);
}

function kindsIn(value: unknown): Kind[] {
  if (isWorkload(value)) return [];
  if (isKind(value)) return [value];
  if (Array.isArray(value)) return value.filter(isKind);
  if (typeof value !== "object" || value === null || !("kinds" in value)) return [];
  return Array.isArray(value.kinds) ? value.kinds.filter(isKind) : [];
}

// Decides by the shape, not by the class: the file may have a Millrace of its own under its node_modules.
function isKind(value: unknown): value is Kind {
  if (typeof value !== "object" || value === null) return false;
  const { name, schema, stages } = value as Partial<Kind>;
  return typeof name === "string" && typeof schema?.["~standard"] === "object" && Array.isArray(stages);
}
