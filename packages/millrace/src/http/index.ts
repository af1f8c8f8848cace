// What `millrace/http` gives.

export type { Scope } from "./auth/caller.ts";
export type { HandlerAuth, Identity } from "./auth/host-auth.ts";
export type { Engine, InstancePool, RecordSpace } from "./engine.ts";
export { createHandler, type Handler, type HandlerOptions, type MountedWorkloads } from "./handler.ts";
export { type NodeHandler, toNodeHandler } from "./node-handler.ts";
export type { RouteSurroundings, ServedPages, ServedScope, ServedWorkloads } from "./workloads.ts";
