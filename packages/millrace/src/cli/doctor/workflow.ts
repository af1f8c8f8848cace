import type { FileReport } from "../../store/sqlite/connection/examine.ts";
import { plural } from "../output/format.ts";
import { type Finding, ok, warn } from "./finding.ts";

type WorkflowReport = NonNullable<FileReport["workflow"]>;

/** From this share of the limit on, publishers will be refused soon. */
const NEARLY_FULL = 0.8;

/** Findings about kept events beside their limit, and work that no process does. */
export function workflowFindings(report: WorkflowReport | undefined, maxEventsPerTenant: number): Finding[] {
  if (report === undefined) return [];
  return [eventFinding(report, maxEventsPerTenant), leftFinding(report)];
}

function eventFinding({ mostEvents }: WorkflowReport, limit: number): Finding {
  if (!mostEvents) return ok("events", "none is kept");
  const { tenant, count } = mostEvents;
  const of = limit === 0 ? "" : ` of ${limit.toLocaleString("en-US")}`;
  const text = `the tenant "${tenant}" has most: ${count.toLocaleString("en-US")}${of}`;
  if (limit === 0 || count < limit * NEARLY_FULL) return ok("events", text);
  return warn(
    "events",
    text,
    "Publish with a shorter keepMs, or raise MAX_EVENTS_PER_TENANT. At the limit, events are refused.",
  );
}

function leftFinding({ leftBehind }: WorkflowReport): Finding {
  if (leftBehind === 0) return ok("follow-up work", "none is overdue");
  return warn(
    "follow-up work",
    `${plural(leftBehind, "task")} overdue by more than a minute, such as children to cancel or batches to end`,
    "Start a process that works: millrace serve or millrace work. If one runs, see its log.",
  );
}
