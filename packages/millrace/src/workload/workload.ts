// A workload is everything that one service on the engine brings, in one object: its kinds, its routes, its settings, its
// commands, its client calls and its pages. `millrace serve --load` serves it beside the API. The engine knows none by name.

import type { ErrorTable } from "../api/errors.ts";
import type { Schema, WorkloadScope } from "../api/route.ts";
import type { Finding } from "../cli/doctor/finding.ts";
import type { CommandEntry } from "../cli/entry.ts";
import type { Connection } from "../client/request.ts";
import type { SettingTable, SettingValues } from "../config/setting.ts";
import type { CoreSettings } from "../config/settings.ts";
import type { Engine } from "../http/engine.ts";
import type { BoundRoute } from "../http/request/bind.ts";
import type { WorkloadPages } from "../http/workloads.ts";
import type { Kind } from "../job/kind/kind.ts";
import type { LimiterRule } from "../job/options/limiter.ts";
import { AppError } from "../lib/app-error.ts";
import { unknownOption } from "../lib/did-you-mean.ts";
import type { Log } from "../telemetry/log/log.ts";

/** What the functions of a workload receive: the values of its own settings and of the engine's. */
export interface Setup<Values = unknown> {
  /** The values of the workload's settings. */
  readonly settings: Values;
  /** The values of the engine's settings. */
  readonly engineSettings: CoreSettings;
}

/** What the routes of a workload receive. */
export interface RouteSetup<Values = unknown> extends Setup<Values> {
  /** The engine, to submit and read jobs. */
  readonly engine: Engine;
  /** The server's log. */
  readonly log: Log;
  /** Aborted when the server stops: a handler that waits should answer. */
  readonly closing: AbortSignal;
  /** Sends one of `events` to everyone who follows the live feed of this server and may read the tenant. */
  emit(event: string, data: unknown, about: { readonly tenant: string }): void;
}

/** Rate limits by the names that `ctx.limit()` uses: at most `count` in `perMs` milliseconds. */
export type Limiters = Record<string, LimiterRule>;

type MaybePromise<T> = T | Promise<T>;

/** Options of `defineWorkload()`. Only `name` is required. */
export interface WorkloadOptions<Table extends SettingTable = SettingTable, Calls extends object = object> {
  /** The name of the workload: lower-case letters, digits and dashes, starting with a letter. */
  readonly name: string;
  /** Environment variables with their parsers, defaults and documentation. Default: none. */
  readonly settings?: Table;
  /** Checks settings that are each valid for contradictions, and returns sentences. Default: none. */
  readonly settingProblems?: (settings: SettingValues<Table>) => readonly string[];
  /** The kinds, or a function that makes them from the settings. Default: none. */
  readonly kinds?: readonly Kind[] | ((setup: Setup<SettingValues<Table>>) => MaybePromise<readonly Kind[]>);
  /** Rate limits that `ctx.limit()` of its processors refers to. Default: none. */
  readonly limiters?: (setup: Setup<SettingValues<Table>>) => MaybePromise<Limiters>;
  /** The routes of its HTTP API. Default: none. */
  readonly routes?: (setup: RouteSetup<SettingValues<Table>>) => MaybePromise<readonly BoundRoute[]>;
  /** The error codes of its routes, beside those that every route can return. Default: none. */
  readonly errors?: ErrorTable;
  /** Commands of the CLI. Default: none. */
  readonly commands?: readonly CommandEntry[];
  /** Methods for the typed client: `createClient({ baseUrl }).with(workload.client)`. Default: none. */
  readonly client?: (connection: Connection) => Calls;
  /** Pages of the dashboard. Default: none. */
  readonly pages?: WorkloadPages;
  /** Findings for `millrace doctor`. Default: none. */
  readonly doctor?: (setup: Setup<SettingValues<Table>>) => MaybePromise<readonly Finding[]>;
  /** Scopes that keys can have for its routes, each with its rights in words: `"greetings:write": "greet people"`. Default: none. */
  readonly scopes?: Readonly<Record<WorkloadScope, string>>;
  /** Events of the live feed with the schema of their data. Routes send them with `emit`. Default: none. */
  readonly events?: Readonly<Record<string, Schema>>;
  /** Called when the engine is open, before the first request. Default: none. */
  readonly start?: (
    started: Setup<SettingValues<Table>> & { readonly engine: Engine; readonly log: Log },
  ) => MaybePromise<void>;
  /** Called when the engine stops. Default: none. */
  readonly stop?: () => MaybePromise<void>;
}

/** A workload, as `defineWorkload()` returns it. */
export interface Workload<Calls extends object = object> extends WorkloadOptions<SettingTable, Calls> {
  /** Marks the object as a workload. */
  readonly workload: true;
}

const OPTIONS = [
  "name",
  "settings",
  "settingProblems",
  "kinds",
  "limiters",
  "routes",
  "errors",
  "commands",
  "client",
  "pages",
  "doctor",
  "scopes",
  "events",
  "start",
  "stop",
] as const satisfies readonly (keyof WorkloadOptions)[];

const NAME = /^[a-z][a-z0-9-]{0,63}$/;

/**
 * Defines a workload: everything that one service on the engine brings, in one object. `millrace serve --load
 * ./workload.ts` serves it beside the API.
 *
 * @example
 * ```ts
 * import { defineKind, defineWorkload } from "millrace";
 * import { z } from "zod";
 *
 * const greet = defineKind({
 *   name: "greet",
 *   payload: z.object({ name: z.string() }),
 *   run: (_ctx, { name }) => ({ text: `Hello, ${name}` }),
 * });
 * export const greetings = defineWorkload({ name: "greetings", kinds: [greet] });
 * ```
 */
export function defineWorkload<const Table extends SettingTable = SettingTable, Calls extends object = object>(
  options: WorkloadOptions<Table, Calls>,
): Workload<Calls> {
  if (typeof options !== "object" || options === null) throw invalid("defineWorkload() needs an object with a name.");
  const unknown = Object.keys(options).find((name) => !(OPTIONS as readonly string[]).includes(name));
  if (unknown !== undefined) throw invalid(unknownOption(unknown, "defineWorkload()", OPTIONS));
  if (typeof options.name !== "string" || !NAME.test(options.name)) {
    throw invalid(
      `Invalid workload name "${options.name}". Use lower-case letters, digits and dashes, starting with a letter.`,
    );
  }
  return Object.freeze({ ...options, workload: true as const }) as unknown as Workload<Calls>;
}

/** Decides by the shape and not by the class: the module may have a Millrace of its own under its node_modules. */
export function isWorkload(value: unknown): value is Workload {
  return typeof value === "object" && value !== null && "workload" in value && value.workload === true;
}

function invalid(message: string): AppError {
  return new AppError("workload-invalid", message);
}
