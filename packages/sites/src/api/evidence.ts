import { z } from "zod";

export const Evidence = z
  .strictObject({ url: z.string(), quote: z.string().max(300) })
  .meta({ id: "SiteEvidence", description: "The passage of the site, as a quote." });
export type Evidence = z.infer<typeof Evidence>;
