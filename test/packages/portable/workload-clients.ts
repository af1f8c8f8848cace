// The clients of the workloads that ship, only where their packages are installed.

import { diagrams } from "@millrace/diagrams/client";
import { sites } from "@millrace/sites/client";
import { typed } from "./client.ts";

export const drawing = typed.with(diagrams);
export const both = typed.with(diagrams).with(sites);
export const calls = {
  render: () => both.render({ source: "a -> b", format: "d2" }),
  accepted: () => both.submitRender({ source: "a -> b", format: "d2" }),
  view: (id: string) => both.sites.get(id),
  report: (id: string) => both.sites.report(id),
  list: () => both.sites.list(),
  compare: (id: string) => both.sites.compare(id),
};
