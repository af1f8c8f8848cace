// Who draws: renderers of our own (renderers.ts), or a server.

import { MillraceError } from "millrace/client";
import type { RenderRequest } from "../api/render.ts";
import type { DiagramCalls } from "../client.ts";
import type { ToldFault } from "../engine.ts";
import type { Task } from "./task.ts";

export type DrawResult =
  | { readonly bytes: Uint8Array; readonly warnings: readonly string[] }
  | { readonly fault: ToldFault };

/** A fault of the diagram is given back; whatever else goes wrong is thrown and ends the whole command. */
export type Draw = (task: Task, source: string) => Promise<DrawResult>;

/** What is wrong with one diagram and not with the server. */
const FAULTS = new Set([
  "render-failed",
  "include-missing",
  "render-timeout",
  "too-large",
  "invalid-request",
  "job-failed",
]);

export function drawBy(client: DiagramCalls): Draw {
  return async ({ format, options, outputType }, source) => {
    try {
      const rendered = await client.render({ format, source, options, outputType } as RenderRequest);
      const { bytes } = await client.drawing(rendered);
      return { bytes, warnings: rendered.warnings ?? [] };
    } catch (error) {
      if (!(error instanceof MillraceError) || !FAULTS.has(error.code)) throw error;
      return { fault: faultOf(error) };
    }
  };
}

function faultOf({ message, issues, line, column, excerpt, advice, job }: MillraceError): ToldFault {
  const place = { line: line ?? job?.failure?.line, column: column ?? job?.failure?.column };
  const more = issues.filter((issue) => !message.includes(issue.message));
  const said = [message, ...more.map((issue) => `${issue.path}: ${issue.message}`)].join(" ");
  return {
    message: job?.failure?.message ?? said,
    ...(place.line !== undefined && { line: place.line }),
    ...(place.column !== undefined && { column: place.column }),
    ...(excerpt !== undefined && { excerpt }),
    ...(advice !== undefined && { advice }),
  };
}
