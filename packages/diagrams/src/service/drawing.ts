import type { Memory } from "millrace";
import type { RenderedDiagram } from "../api/render.ts";

/** Kept beside the bytes. */
export interface DrawingInfo {
  readonly format: string;
  readonly warnings: readonly string[];
}

export function renderedOf(link: string, { warnings }: DrawingInfo): RenderedDiagram {
  return { shortlink: link, url: `/d/${link}`, ...(warnings.length > 0 && { warnings: [...warnings] }) };
}

/** The drawing where it is kept. */
export async function recallDrawing(key: string, memory: Memory): Promise<RenderedDiagram | undefined> {
  const known = await memory.link(key);
  return known && renderedOf(known.link, known.info as DrawingInfo);
}
