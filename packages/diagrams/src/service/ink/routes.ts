import { AppError } from "millrace";
import { type BoundRoute, bind, type Exchange, oneTenant } from "millrace/workload";
import { inkRoutes } from "../../api/ink.ts";
import type { DrawLimit } from "../draw-limit.ts";
import { HARDENED } from "../drawing-route.ts";
import { drawnImage } from "../image.ts";
import type { DrawingService } from "../submit.ts";
import { InkError, payloadOf, stateIn } from "./state.ts";

type Query = Record<string, string>;

/** At the root, where mermaid.ink has them, and below /ink, where a key may stand in the path. */
export function inkHandlers(surroundings: DrawingService, limit: DrawLimit): BoundRoute[] {
  const answer = (wanted: "img" | "svg" | "pdf") => {
    return async (exchange: Exchange<{ encoded: string }, Query, undefined>): Promise<Response> => {
      const { params, query, caller, request } = exchange;
      try {
        limit.count(caller);
        const state = stateIn(params.encoded, surroundings.settings.maxChars);
        const payload = payloadOf(state, query, wanted);
        return await drawnImage(surroundings, exchange, { payload, tenant: oneTenant(caller), isOpen: true });
      } catch (error) {
        const told = request.signal.aborted ? undefined : answerOf(error);
        if (told === undefined) throw error;
        return told;
      }
    };
  };
  return [
    bind(inkRoutes.img, answer("img")),
    bind(inkRoutes.svg, answer("svg")),
    bind(inkRoutes.pdf, answer("pdf")),
    bind(inkRoutes.inkImg, answer("img")),
    bind(inkRoutes.inkSvg, answer("svg")),
    bind(inkRoutes.inkPdf, answer("pdf")),
  ];
}

/** With mermaid.ink's statuses. Undefined: not one of ours to tell, and the server answers it as any other fault. */
function answerOf(error: unknown): Response | undefined {
  if (error instanceof InkError) return text(error.status, error.message);
  if (!(error instanceof AppError)) return undefined;
  switch (error.code) {
    case "render-failed": {
      const { excerpt, advice } = error.details as { excerpt?: string; advice?: string };
      return text(400, [error.message, excerpt, advice].filter((part) => part !== undefined).join("\n"));
    }
    case "render-timeout":
    case "still-running":
      return text(503, error.message);
    default:
      return undefined;
  }
}

function text(status: number, message: string): Response {
  const headers = {
    ...HARDENED,
    "content-type": "text/plain; charset=utf-8",
    "cache-control": "no-store",
    "access-control-allow-origin": "*",
  };
  return new Response(message, { status, headers });
}
