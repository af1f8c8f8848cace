import { z } from "zod";
import { Evidence } from "./evidence.ts";

export const Judgement = z
  .strictObject({
    by: z.string().meta({ description: "The model that judged." }),
    stance: z.enum(["recommended", "mentioned", "warned", "unknown", "absent"]).optional(),
    sentiment: z.enum(["positive", "neutral", "negative"]).optional(),
    quote: z.string().optional(),
    companies: z.array(
      z.strictObject({
        name: z.string(),
        stance: z.enum(["recommended", "mentioned", "warned"]),
        quote: z.string(),
      }),
    ),
    wrong: z.array(z.strictObject({ quote: z.string(), fact: Evidence })),
  })
  .meta({
    id: "SiteJudgement",
    description: "What the judge says about the answer. Claims whose quote does not occur in the answer are left out.",
  });
export type Judgement = z.infer<typeof Judgement>;
