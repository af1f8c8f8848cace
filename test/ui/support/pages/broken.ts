// Workloads whose pages do not work: one has no module, one throws as it loads, one as it is drawn, one exports nothing.

import { defineWorkload } from "../../../../packages/millrace/src/workload/workload.ts";

const module = (name: string) => new URL(`./${name}.js`, import.meta.url);

export const missing = defineWorkload({
  name: "missing",
  pages: { module: module("not-built"), nav: [{ path: "/missing", title: "Missing" }] },
});

export const throwing = defineWorkload({
  name: "throwing",
  pages: {
    module: module("throws-at-load"),
    nav: [{ path: "/throwing", title: "Throwing" }],
    kinds: { quick: {} },
  },
});

export const drawing = defineWorkload({
  name: "drawing",
  pages: { module: module("throws-when-drawn"), nav: [{ path: "/drawing", title: "Drawing" }] },
});

export const empty = defineWorkload({
  name: "empty",
  pages: { module: module("exports-nothing"), nav: [{ path: "/empty", title: "Empty" }] },
});
