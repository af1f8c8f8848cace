// How a drawing ends, whichever process drew it: kept behind a link, or as a fault of the diagram.

import { type Context, JobFailure, type Shareable } from "millrace/processor";
import type { RenderedDiagram } from "../api/render.ts";
import type { Fault } from "../engine.ts";
import { type DrawingInfo, renderedOf } from "./drawing.ts";

export async function named(ctx: Context, artifact: Shareable, info: DrawingInfo): Promise<RenderedDiagram> {
  const link = await ctx.share(artifact);
  if (link === undefined) throw new Error("the store gave no link");
  return renderedOf(link, info);
}

/** The diagram's own fault: trying again would not help, and it is kept no longer than a result. */
export function failureOf({ message, line, column, code }: Fault): JobFailure {
  return new JobFailure(message, {
    code: code ?? "render-failed",
    permanent: true,
    input: true,
    ...(line !== undefined && { line }),
    ...(column !== undefined && { column }),
  });
}
