// What `millrace/shapes` gives: the wire as data, for the routes and payloads that a workload brings. It loads no server.

export { type ErrorAccount, jobShapesOf } from "./api/job-shapes-of.ts";
export type { SubmissionShapes } from "./api/option-shapes-of.ts";
export { type Access, type Nothing, type RouteSpec, route, type Schema, type WorkloadScope } from "./api/route.ts";
export { shapesOf, startsOnce, YEAR_MS } from "./api/shapes-of.ts";
export { type Issue, inWords, issuesOf } from "./http/request/issues.ts";
