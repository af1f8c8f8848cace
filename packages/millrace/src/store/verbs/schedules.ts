// Schedules: rules that submit jobs at times.

import type { NewJob, Submission } from "./submission.ts";

export interface ScheduleVerbs {
  /**
   * Adds the schedule, or replaces the tenant's schedule of that name. Returns false if the tenant has `most` others; 0
   * means no limit.
   */
  putSchedule(schedule: Schedule, most: number): Promise<boolean>;
  /** Returns false if the schedule is unknown. */
  removeSchedule(name: ScheduleName): Promise<boolean>;
  schedules(filter?: ScheduleFilter): Promise<Schedule[]>;
  /** Submits the schedule's job and moves the schedule on, once per tick across all processes. */
  fire(name: ScheduleName, expectedAt: number, nextAt: number, submission: Submission | undefined): Promise<FireAnswer>;
}

/** A schedule's name is unique within its tenant. */
export interface ScheduleName {
  tenant: string;
  name: string;
}

/** With `dueAt`: all schedules that are due by then, including paused ones. The rest of the filter is ignored. */
export interface ScheduleFilter {
  tenant?: string;
  name?: string;
  dueAt?: number;
}

/** A schedule as the store keeps it. */
export interface Schedule {
  /** The name of the schedule, unique within its tenant. */
  name: string;
  /** The cron expression. */
  cron: string;
  /** The IANA time zone. */
  timeZone: string;
  /** The kind of its jobs. */
  kind: string;
  /** The tenant that its jobs belong to. */
  tenant: string;
  payload: string;
  /** The unique key of its jobs. */
  uniqueKey?: string;
  /** The concurrency key of its jobs. */
  concurrencyKey?: string;
  /** Which of many jobs of a key runs, where the kind says so. */
  keyRule?: Pick<NewJob, "ifUnique" | "latestMs" | "throttle" | "delayMs">;
  /** The priority of its jobs. */
  priority?: number;
  /** The tags of its jobs. */
  tags?: string[];
  /** While the previous job of the schedule has not ended: "skip" submits none, "allow" submits one. */
  overlap: "skip" | "allow";
  /** After times at which no process ran: "once" submits one job for all of them, "skip" none. */
  missed: "once" | "skip";
  /** True: it does not fire. */
  paused: boolean;
  nextAt: number;
  lastAt?: number;
  /** The id of the job that it submitted last. */
  lastJobId?: string;
}

/** `fired: false`: another process was first. `refused`: the sentence of the refusal. */
export type FireAnswer = { fired: false } | { fired: true; jobId?: string; refused?: string };
