import { z } from "zod";
import { Evidence } from "./evidence.ts";

const Level = z.enum(["small", "medium", "large"]);

/** What to do about a prompt whose answers name rivals and not the brand. */
export const NextStep = z
  .strictObject({
    citedInstead: z.array(z.strictObject({ domain: z.string(), class: z.enum(["rival", "other"]), answers: z.int() })),
    nearest: Evidence.optional().meta({ description: "The passage of the site that is nearest to an answer." }),
    missing: z.string().meta({ description: "Which fact the site does not give." }),
    block: z
      .strictObject({ heading: z.string(), text: z.string(), evidence: z.array(Evidence) })
      .meta({ description: "A proposed answer, made of the site's own sentences." }),
    effort: Level,
    chance: Level.meta({ description: "How likely an answer on the site changes what models say." }),
  })
  .meta({ id: "SiteNextStep" });
export type NextStep = z.infer<typeof NextStep>;
