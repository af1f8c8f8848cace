import { route, YEAR_MS } from "millrace/shapes";
import { z } from "zod";
import { FORMAT_TABLE, FORMATS, type Format } from "./formats.ts";
import { JobId, Milliseconds, Text } from "./wire.ts";

export const OUTPUT_TYPES = ["svg", "pdf", "png", "jpeg", "webp"] as const;
export const OutputType = z.enum(OUTPUT_TYPES);
/** What a diagram is drawn as. */
export type OutputType = z.infer<typeof OutputType>;
/** A drawing in pixels. */
export type PictureType = Exclude<OutputType, "svg" | "pdf">;

export const CONTENT_TYPES = {
  svg: "image/svg+xml",
  pdf: "application/pdf",
  png: "image/png",
  jpeg: "image/jpeg",
  webp: "image/webp",
} as const satisfies Readonly<Record<OutputType, string>>;

const MAX_SOURCE_CHARS = 1_048_576;
const Source = Text(MAX_SOURCE_CHARS)
  .refine((text) => text === "" || text.trim() !== "", "must not be blank")
  .meta({ description: "The source of the diagram, at most `RENDER_MAX_CHARS` characters." });

const drawing = { source: Source, outputType: OutputType.default("svg") };

type Drawing<F extends Format> = typeof drawing & {
  format: z.ZodLiteral<F>;
  options: z.ZodOptional<(typeof FORMAT_TABLE)[F]["options"]>;
};
/** One for each format, told apart by `format`. */
type Shapes<More extends z.ZodRawShape> = {
  [F in Format]: z.ZodObject<Drawing<F> & More, z.core.$strict>;
}[Format];

function shapes<More extends z.ZodRawShape>(more: More): [Shapes<More>, ...Shapes<More>[]] {
  return FORMATS.map((format) =>
    z.strictObject({
      format: z.literal(format),
      ...drawing,
      options: FORMAT_TABLE[format].options.optional(),
      ...more,
    }),
  ) as unknown as [Shapes<More>, ...Shapes<More>[]];
}

/** What a job of the kind `render` takes. */
export const RenderPayload = z.discriminatedUnion("format", shapes({}));
export type RenderPayload = z.output<typeof RenderPayload>;

const waiting = {
  expiresInMs: Milliseconds(YEAR_MS).optional().meta({
    description:
      "If the job has not started within this time, it fails with `backpressure`. Default: `RENDER_MAX_WAIT_MS`.",
  }),
};
export const RenderRequest = z.discriminatedUnion("format", shapes(waiting)).meta({ id: "RenderRequest" });
/** A diagram to draw: its source, format, output type and the format's options. */
export type RenderRequest = z.input<typeof RenderRequest>;

export const RenderedDiagram = z
  .strictObject({
    shortlink: z.string().meta({
      description: "12 letters and digits. Everyone who has the link can read the drawing.",
      examples: ["b7Kq2mXw9ZtR"],
    }),
    /** The path of the drawing on the server. */
    url: z.string().meta({ examples: ["/d/b7Kq2mXw9ZtR"] }),
    warnings: z.array(z.string()).optional().meta({ description: "Parts that could not be drawn as requested." }),
  })
  .meta({ id: "Rendered" });
/** A drawing. */
export type RenderedDiagram = z.output<typeof RenderedDiagram>;

export const RenderAccepted = z
  .strictObject({
    /** The id of the job that draws the diagram. */
    jobId: JobId,
    /** The status of the job. */
    status: z.string(),
    /** Where to ask for the job. */
    statusUrl: z.string(),
  })
  .meta({ id: "RenderAccepted" });
/** A diagram that was accepted and is not drawn yet. */
export type RenderAccepted = z.output<typeof RenderAccepted>;

const example = { source: "flowchart LR\n  a --> b", format: "mermaid", outputType: "svg" };

export const renderRoutes = {
  render: route({
    method: "POST",
    path: "/render",
    tag: "diagrams",
    summary:
      "Render a diagram. `async` (default) returns the job immediately, `sync` (200) waits for the drawing. Identical diagrams are drawn once.",
    access: "submit",
    query: z.strictObject({
      mode: z.enum(["async", "sync", "draft"]).optional().meta({
        description:
          "`draft` is `sync` for an editor: no job is left, neither of a drawing nor of a fault. The drawing is kept in the cache.",
      }),
    }),
    body: RenderRequest,
    status: 202,
    answer: z.union([RenderAccepted, RenderedDiagram]),
    idempotent: true,
    errors: [
      "render-failed",
      "include-missing",
      "render-timeout",
      "still-running",
      "rate-limited",
      "tenant-busy",
      "backpressure",
      "conflict",
      "disk-full",
    ],
    example: { body: example, answer: { jobId: "job_4fQ81xZa", status: "pending", statusUrl: "/jobs/job_4fQ81xZa" } },
  }),
  drawing: route({
    method: "GET",
    path: "/d/{shortlink}",
    tag: "diagrams",
    summary: "Read the drawing behind a short link. It never changes. Supports `ETag`, `Range` and `If-None-Match`.",
    access: "open",
    params: z.strictObject({ shortlink: Text(64) }),
    query: z.strictObject({
      download: z.enum(["true"]).optional().meta({ description: "Send it as a download." }),
    }),
    status: 200,
    answerType: "image/svg+xml",
    errors: ["not-found", "rate-limited"],
  }),
};
