// What workloads bring to the API. It comes in as an interface: http knows no workload.

import type { ErrorTable } from "../api/errors.ts";
import type { Access, Schema, WorkloadScope } from "../api/route.ts";
import type { Log } from "../telemetry/log/log.ts";
import type { Scope } from "./auth/caller.ts";
import type { Engine } from "./engine.ts";
import type { BoundRoute } from "./request/bind.ts";

/** What the workloads of a server bring to its API. */
export interface ServedWorkloads {
  /** The names of the workloads. */
  readonly names?: readonly string[];
  /** The codes that their routes answer with. */
  readonly errors?: ErrorTable;
  /** Scopes that keys can have for their routes. */
  readonly scopes?: readonly ServedScope[];
  /** Events of the live feed, each under its workload's name: `greetings.greeted`. */
  readonly events?: Readonly<Record<string, Schema>>;
  /** Their pages in the dashboard. */
  readonly pages?: readonly ServedPages[];
  /** Makes their routes. */
  readonly routes?: (surroundings: RouteSurroundings) => Promise<readonly BoundRoute[]>;
}

/** A scope of a workload. */
export interface ServedScope {
  /** The name of the workload. */
  readonly workload: string;
  /** The scope, such as `greetings:write`. */
  readonly scope: WorkloadScope;
  /** One sentence about the rights that it gives. */
  readonly allows: string;
}

/** What routes of workloads stand on. */
export interface RouteSurroundings {
  /** The engine, to submit and read jobs. */
  readonly engine: Engine;
  /** The log of the server. */
  readonly log: Log;
  /** Aborts when the server stops: a handler that waits should answer. */
  readonly closing: AbortSignal;
  /** Sends an event to everyone who follows the live feed and may read the tenant. */
  emit(event: string, data: unknown, about: { readonly tenant: string }): void;
}

/** A page in the menu of the dashboard. */
export interface PageEntry {
  /** Its address below `/ui`: `/greetings`. Addresses below it belong to it too. */
  readonly path: string;
  /** The title in the menu. */
  readonly title: string;
  /** The name of an icon of the dashboard, or the path data of one on a grid of 16 by 16. */
  readonly icon?: string;
  /** The scope that a caller needs to open the page. Default: `read`. */
  readonly scope?: Exclude<Access, "open">;
}

/** What the dashboard shows for jobs of a kind, beside what it shows for all. */
export interface KindEntry {
  /** Held jobs on the overview: `1 {one}` or `3 {many}`, with a link to the page `path`. */
  readonly held?: {
    /** The words for one held job. */
    readonly one: string;
    /** The words for several held jobs. */
    readonly many: string;
    /** The page that the link opens, below `/ui`. */
    readonly path: string;
  };
}

/** Pages for the dashboard: a ready-built module that it loads when one of them is opened. */
export interface WorkloadPages {
  /** The module, as a browser runs it. It exports by default what `definePages` of `millrace/dashboard` returns. */
  readonly module: URL;
  /** A stylesheet that the dashboard loads with the module. */
  readonly styles?: URL;
  /** The folder of the build, if the module loads further files. Every file in it is served. */
  readonly files?: URL;
  /** The pages in the menu. Default: none. */
  readonly nav?: readonly PageEntry[];
  /** The kinds for which the module has parts: the result of a job, a note beside the form that submits one. */
  readonly kinds?: Readonly<Record<string, KindEntry>>;
}

/** The pages of one workload. */
export interface ServedPages extends WorkloadPages {
  /** The name of the workload. */
  readonly workload: string;
}

/** Scopes of the engine. `admin` includes all others of its tenant, those of workloads too. */
export const ENGINE_SCOPES = ["submit", "read", "draw", "admin"] as const;

export function scopesOf({ scopes = [] }: ServedWorkloads): Scope[] {
  return [...ENGINE_SCOPES, ...scopes.map(({ scope }) => scope)];
}
