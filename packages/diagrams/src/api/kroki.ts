// Kroki's wire format, so that its clients work by changing one address.

import { route } from "millrace/shapes";
import { z } from "zod";

const Options = z.record(z.string().max(100), z.string().max(1_000));
const type = z.string().max(64).meta({ description: "`mermaid`, `plantuml`, `graphviz` and so on." });
const format = z.string().max(16).meta({ description: "`svg`, `pdf`, `png`, `jpeg` or `webp`." });
const IMAGE = "image/svg+xml";
const ERRORS = ["too-large", "rate-limited", "tenant-busy", "backpressure"] as const;
const shared = {
  tag: "kroki",
  access: "draw",
  query: Options,
  status: 200,
  answerType: IMAGE,
  errors: ERRORS,
} as const;
const health = {
  method: "GET",
  tag: "kroki",
  summary: "Check whether the service works, with the versions of the engines.",
  access: "read",
  status: 200,
  answerType: "application/health+json",
} as const;
const bodies = ["text/plain", "application/json"];

export const krokiRoutes = {
  get: route({
    method: "GET",
    path: "/kroki/{type}/{format}/{encoded}",
    summary: "Render the diagram in the path: the source, deflated and in URL-safe base64. Options are in the query.",
    params: z.strictObject({ type, format, encoded: z.string() }),
    ...shared,
  }),
  post: route({
    method: "POST",
    path: "/kroki",
    summary: "Render `{diagram_source, diagram_type, output_format, diagram_options?}`, as Kroki's `POST /`.",
    ownBody: ["application/json", "text/plain", "application/octet-stream", "application/x-www-form-urlencoded"],
    ...shared,
  }),
  postType: route({
    method: "POST",
    path: "/kroki/{type}",
    summary: "Render a source as text, or `{diagram_source, output_format?}`. Without a format, `Accept` decides.",
    params: z.strictObject({ type }),
    ownBody: bodies,
    ...shared,
  }),
  postFormat: route({
    method: "POST",
    path: "/kroki/{type}/{format}",
    summary: "Render a source as text, or `{diagram_source, diagram_options?}`.",
    params: z.strictObject({ type, format }),
    ownBody: bodies,
    ...shared,
  }),
  health: route({ path: "/kroki/health", ...health }),
  healthV1: route({ path: "/kroki/v1/health", ...health }),
  healthz: route({ path: "/kroki/healthz", ...health }),
};
