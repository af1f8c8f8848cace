// mermaid.ink's wire format, so that LangChain, LangGraph and Markdown tools with a base address work by changing it.

import { route } from "millrace/shapes";
import { z } from "zod";

const Options = z.record(z.string().max(100), z.string().max(1_000));
const params = z.strictObject({
  encoded: z.string().meta({
    description: "The diagram in URL-safe base64: its source, or JSON `{code, mermaid}`. After `pako:` it is deflated.",
  }),
});

const shared = {
  method: "GET",
  tag: "mermaid.ink",
  access: "draw",
  params,
  query: Options,
  status: 200,
  errors: ["too-large", "rate-limited", "tenant-busy", "backpressure"],
} as const;
const IMG =
  "Render a Mermaid diagram as JPEG, or as PNG or WebP by `type`. `bgColor`, `theme`, `width`, `height`, `scale`.";
const SVG = "Render a Mermaid diagram as SVG. `bgColor`, `theme`, `width`, `height`, `scale`.";

const PDF =
  "Render a Mermaid diagram as PDF, on a page as large as the drawing. `bgColor`, `theme`, `width`, `height`, `scale`.";

export const inkRoutes = {
  img: route({ path: "/img/{encoded}", summary: IMG, answerType: "image/jpeg", ...shared }),
  svg: route({ path: "/svg/{encoded}", summary: SVG, answerType: "image/svg+xml", ...shared }),
  pdf: route({ path: "/pdf/{encoded}", summary: PDF, answerType: "application/pdf", ...shared }),
  inkImg: route({ path: "/ink/img/{encoded}", summary: IMG, answerType: "image/jpeg", ...shared }),
  inkSvg: route({ path: "/ink/svg/{encoded}", summary: SVG, answerType: "image/svg+xml", ...shared }),
  inkPdf: route({ path: "/ink/pdf/{encoded}", summary: PDF, answerType: "application/pdf", ...shared }),
};
