import { MillraceError } from "millrace/client";
import { clientFor, sentenceOf } from "millrace/dashboard";
import { useEffect, useRef, useState } from "react";
import { diagrams, type RenderedDiagram, type RenderRequest } from "../client.ts";

export interface DrawingFault {
  readonly message: string;
  readonly line?: number | undefined;
  /** The line with a caret below it. */
  readonly excerpt?: string | undefined;
  readonly advice?: string | undefined;
}

export interface DrawingState {
  /** The last good one stays while there is a fault. */
  readonly rendered: RenderedDiagram | undefined;
  readonly fault: DrawingFault | undefined;
  readonly busy: boolean;
}

const TYPING_MS = 350;

/** The drawing of what is written, a moment after the typing stops; what is overtaken is given up. */
export function useDrawing(request: RenderRequest): DrawingState {
  const [drawing, setDrawing] = useState<DrawingState>({ rendered: undefined, fault: undefined, busy: true });
  const first = useRef(true);
  const { source, format, outputType } = request;
  const options = JSON.stringify(request.options ?? {});
  useEffect(() => {
    if (source.trim() === "") {
      setDrawing({ rendered: undefined, fault: undefined, busy: false });
      return;
    }
    const over = new AbortController();
    const draw = async () => {
      setDrawing((before) => ({ ...before, busy: true }));
      try {
        const given = JSON.parse(options) as object;
        const asked = {
          ...{ source, format, outputType },
          ...(Object.keys(given).length > 0 && { options: given }),
        } as RenderRequest;
        const rendered = await clientFor().with(diagrams).render(asked, { signal: over.signal, draft: true });
        setDrawing({ rendered, fault: undefined, busy: false });
      } catch (error) {
        if (!over.signal.aborted) setDrawing((before) => ({ ...before, fault: faultOf(error), busy: false }));
      }
    };
    const timer = setTimeout(() => void draw(), first.current ? 0 : TYPING_MS);
    first.current = false;
    return () => {
      clearTimeout(timer);
      over.abort();
    };
  }, [source, format, outputType, options]);
  return drawing;
}

function faultOf(error: unknown): DrawingState["fault"] {
  if (error instanceof MillraceError && (error.code === "render-failed" || error.code === "include-missing"))
    return { line: error.line, message: error.message, excerpt: error.excerpt, advice: error.advice };
  return { message: sentenceOf(error) };
}
