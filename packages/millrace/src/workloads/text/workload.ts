import { defineWorkload } from "../../index.ts";
import { textKind } from "./kind.ts";

/** The smallest example of a workload. */
export const textWorkload = defineWorkload({ name: "text", kinds: [textKind()] });
