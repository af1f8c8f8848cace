import { z } from "zod";
import { CommonOptions } from "../options.ts";
import type { FormatEntry } from "./entry.ts";

export const StateMachineCatOptions = CommonOptions.extend({
  layout: z
    .enum(["dot", "circo", "fdp", "neato", "osage", "twopi"])
    .optional()
    .meta({ description: "The layout engine of Graphviz. Default: `dot`." }),
  direction: z
    .enum(["top-down", "bottom-top", "left-right", "right-left"])
    .optional()
    .meta({ description: "Where transitions lead. Default: `top-down`." }),
}).meta({ id: "StateMachineCatOptions" });
/** How to draw a state machine. */
export type StateMachineCatOptions = z.infer<typeof StateMachineCatOptions>;

export const statemachinecat = {
  title: "State machine cat",
  endings: [".smcat"],
  krokiTypes: ["statemachinecat", "smcat"],
  packages: ["state-machine-cat", "@viz-js/viz"],
  options: StateMachineCatOptions,
} as const satisfies FormatEntry;
