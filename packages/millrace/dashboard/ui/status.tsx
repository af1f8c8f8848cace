import type { Job } from "../../src/client/index.ts";

type StatusFields = Pick<Job, "state" | "status"> &
  Partial<Pick<Job, "heldFor" | "retries" | "runAt" | "progress" | "waitsFor" | "undoing">>;

/** The colour of a badge. */
export type Tone = "waiting" | "running" | "good" | "bad" | "care" | "off";

/** The word people see and its colour. Scheduled, retrying, waiting, undoing and held are shown, though the state is `pending`. */
export function wordOf(job: StatusFields, now: number): { word: string; tone: Tone } {
  switch (job.state) {
    case "completed":
      return { word: "completed", tone: "good" };
    case "failed":
      return { word: "failed", tone: "bad" };
    case "cancelled":
      return { word: "cancelled", tone: "off" };
    case "running":
      if (job.undoing) return { word: "undoing", tone: "care" };
      return { word: job.status, tone: "running" };
    case "pending":
      if (job.heldFor !== undefined) return { word: "held", tone: "care" };
      if (job.undoing) return { word: "undoing", tone: "care" };
      if (job.waitsFor) return { word: "waiting", tone: "waiting" };
      if ((job.retries ?? 0) > 0) return { word: "retrying", tone: "care" };
      if (job.runAt !== undefined && Date.parse(job.runAt) > now + 1_000) return { word: "scheduled", tone: "waiting" };
      return { word: job.status, tone: "waiting" };
  }
}

/** The status of a job as a badge. */
export function Status({ job, now }: { job: StatusFields; now: number }) {
  const { word, tone } = wordOf(job, now);
  return <Badge tone={tone}>{word}</Badge>;
}

/** A word in a colour. */
export function Badge({ tone, children }: { tone: Tone; children: string }) {
  return (
    <span className={`badge ${tone}`}>
      <span className="dot" aria-hidden="true" />
      {children}
    </span>
  );
}

/** A progress bar, from 0 to 1. */
export function Progress({ value, label }: { value: number; label: string }) {
  const percent = Math.round(Math.min(1, Math.max(0, value)) * 100);
  return (
    <div
      className="progress"
      role="progressbar"
      aria-label={label}
      aria-valuenow={percent}
      aria-valuemin={0}
      aria-valuemax={100}
    >
      <div style={{ width: `${percent}%` }} />
    </div>
  );
}
