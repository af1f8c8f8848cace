// What `@millrace/diagrams` gives: the library, and the workload for `millrace serve --load`.

export type { Format, OptionsByFormat } from "./api/formats.ts";
export type { D2Options, GraphvizOptions, MermaidOptions } from "./api/options.ts";
export type { OutputType } from "./api/render.ts";
export { RenderError, type RenderErrorCode, type RenderErrorOptions } from "./library/error.ts";
export { closeRenderers, createRenderers, render } from "./library/render.ts";
export type {
  ContentTypeByOutput,
  DataByOutput,
  Renderers,
  RenderersOptions,
  RenderOptions,
  RenderResult,
} from "./library/types.ts";
export { diagrams, diagrams as default } from "./workload.ts";
