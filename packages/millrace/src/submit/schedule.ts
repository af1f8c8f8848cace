import { Cron } from "croner";
import type { Kind } from "../job/kind/kind.ts";
import { SUBMIT_OPTIONS } from "../job/options/submit-options.ts";
import { AppError, messageOf } from "../lib/app-error.ts";
import { checked, checkOptions, type OptionBag } from "../lib/options/check.ts";
import { anything, type OptionValues, onOff, text, word } from "../lib/options/option.ts";
import type { Schedule } from "../store/verbs/schedules.ts";
import type { NewJob } from "../store/verbs/submission.ts";
import { checkKey, checkTenant, prepareJob } from "./submit.ts";

/** The options of a schedule; `name`, `cron` and `payload` are required. */
const SCHEDULE_OPTIONS = {
  /** An IANA time zone such as "Europe/Berlin". Default: "UTC". */
  timeZone: text(64),
  /** The tenant that the jobs belong to. Default: "default". */
  tenant: SUBMIT_OPTIONS.tenant,
  /** The priority of the jobs; lower values start first. Default: 0. */
  priority: SUBMIT_OPTIONS.priority,
  /** The tags of the jobs. Default: none. */
  tags: SUBMIT_OPTIONS.tags,
  /**
   * While the previous job of the schedule has not ended: "skip" submits none, "allow" submits one. Default: "skip".
   */
  overlap: word("skip", "allow"),
  /** After times at which no process ran: "once" submits one job for all of them, "skip" none. Default: "once". */
  missed: word("once", "skip"),
  /** True: it does not fire. Default: false. */
  paused: onOff(),
} as const;

/**
 * A rule that submits jobs at times. Each time fires once across all machines. When the clocks go forward, a time that
 * does not exist fires at the next one that does; when they go back, a time that comes twice fires once.
 */
export interface ScheduleRule extends OptionValues<typeof SCHEDULE_OPTIONS> {
  /** The name of the schedule, unique within its tenant: 1 to 255 characters. */
  name: string;
  /** A cron expression: five fields, or six with seconds first. */
  cron: string;
  /** The payload of every job. */
  payload: unknown;
}

const CRON = text(100);
const SCHEDULE: OptionBag = {
  what: "a schedule",
  options: { name: anything(), cron: CRON, payload: anything(), ...SCHEDULE_OPTIONS },
};

export async function prepareSchedule(kind: Kind, rule: ScheduleRule, now: number): Promise<Schedule> {
  checkOptions(SCHEDULE, rule);
  const { priority, tags } = rule;
  const job = await prepareJob(kind, rule.payload, {
    ...(priority !== undefined && { priority }),
    ...(tags !== undefined && { tags }),
  });
  const timeZone = rule.timeZone ?? "UTC";
  return {
    name: checkKey(rule.name, "name of a schedule"),
    cron: rule.cron,
    timeZone,
    kind: kind.name,
    tenant: checkTenant(rule.tenant ?? "default"),
    payload: job.payload,
    ...(job.uniqueKey !== undefined && { uniqueKey: job.uniqueKey }),
    ...(job.concurrencyKey !== undefined && { concurrencyKey: job.concurrencyKey }),
    ...keyRuleOf(job),
    ...(priority !== undefined && { priority }),
    ...(tags && { tags }),
    overlap: rule.overlap ?? "skip",
    missed: rule.missed ?? "once",
    paused: rule.paused ?? false,
    nextAt: nextFire(rule.cron, timeZone, now),
  };
}

/** Which of many jobs with the same key runs, as the kind says. */
function keyRuleOf({ ifUnique, latestMs, delayMs, throttle }: NewJob): Pick<Schedule, "keyRule"> {
  if (throttle) return { keyRule: { throttle } };
  if (ifUnique !== "replace" && ifUnique !== "extend") return {};
  const times = { ...(latestMs !== undefined && { latestMs }), ...(delayMs !== undefined && { delayMs }) };
  return { keyRule: { ifUnique, ...times } };
}

/** The first tick after `after`. */
export function nextFire(cron: string, timeZone: string, after: number): number {
  return fires(cron, timeZone, after, 1)[0] as number;
}

export function fires(cron: string, timeZone: string, after: number, count: number): number[] {
  if (cron === undefined) throw new AppError("invalid-request", "A schedule needs a cron expression.");
  checked("cron", CRON, cron);
  checked("timeZone", SCHEDULE_OPTIONS.timeZone, timeZone);
  checkZone(timeZone);
  // The parser would accept a year as a seventh field, and words such as @daily. A rule that ends in some year is a
  // surprise.
  const fields = cron.trim().split(/\s+/).length;
  if (fields !== 5 && fields !== 6) throw noSchedule(cron, "it needs five fields, or six with seconds first");
  let moments: number[];
  try {
    const rule = new Cron(cron, { timezone: timeZone, paused: true });
    moments = rule.nextRuns(count, new Date(after)).map((moment) => moment.getTime());
  } catch (cause) {
    throw noSchedule(cron, messageOf(cause).replace(/^CronPattern: /, ""), cause);
  }
  if (moments.length === 0) throw refused("cron", `The cron expression "${cron}" never fires again.`);
  return moments;
}

/** Checked before the rule: the parser notices an unknown zone only at the first moment, and with a long message. */
function checkZone(timeZone: string): void {
  try {
    new Intl.DateTimeFormat("en", { timeZone });
  } catch (cause) {
    const hint = 'Use an IANA time zone, such as "Europe/Berlin" or "UTC".';
    throw refused("timeZone", `Unknown time zone "${timeZone}".`, { hint, cause });
  }
}

function noSchedule(cron: string, why: string, cause?: unknown): AppError {
  return refused("cron", `Invalid cron expression "${cron}": ${why}`, {
    hint: 'The fields are minute, hour, day, month, weekday: "30 6 * * 1" is Monday at 6:30.',
    ...(cause !== undefined && { cause }),
  });
}

function refused(path: string, message: string, more: { hint?: string; cause?: unknown } = {}): AppError {
  return new AppError("invalid-request", message, { ...more, details: { issues: [{ path, message }] } });
}
