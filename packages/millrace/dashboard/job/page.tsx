import { useCallback, useRef, useState } from "react";
import type { Attempt, Job, JobSignal, JobTree, JobWait, Step } from "../../src/client/index.ts";
import { useAct, useLiveQuery, useMay } from "../lib/data.ts";
import type { Moves } from "../lib/live.ts";
import { navigate } from "../lib/router.ts";
import { useNow } from "../lib/use-now.ts";
import { Button } from "../ui/button.tsx";
import { Json } from "../ui/json.tsx";
import { Link } from "../ui/link.tsx";
import { LongText } from "../ui/long-text.tsx";
import { Loaded, Page, Panel } from "../ui/page.tsx";
import { Progress, Status } from "../ui/status.tsx";
import { ResultOfKind } from "../workloads/parts.tsx";
import { Artifacts } from "./artifacts.tsx";
import { Attempts } from "./attempts.tsx";
import { Copies } from "./copies/copies.tsx";
import { CancelDialog, ChangeDialog, ForgetDialog, RetryDialog, SignalDialog } from "./dialogs.tsx";
import { Facts } from "./facts.tsx";
import { Logs } from "./logs/logs.tsx";
import { Relatives } from "./relatives.tsx";
import { ReleaseDialog } from "./release.tsx";
import { Steps } from "./steps.tsx";
import { Streams } from "./streams.tsx";
import { TimelinePanel } from "./timeline.tsx";
import { TreePanel } from "./tree.tsx";
import { Signals, Waits } from "./waits.tsx";
import { Why } from "./why.tsx";
import "./job.css";
import { Ago } from "../ui/time.tsx";

export function JobPage({ jobId }: { jobId: string }) {
  const concerns = useCallback((moves: Moves) => moves === undefined || moves.has(jobId), [jobId]);
  const [running, setRunning] = useState(false);
  // Progress, steps and log lines move no job, so while it runs they are asked for.
  const everyMs = running ? 1_000 : 15_000;
  const job = useLiveQuery<Job>({
    key: ["job", jobId],
    concerns,
    everyMs,
    load: async (client, signal) => {
      const found = await client.get(jobId, { signal });
      setRunning(found.inProgress);
      return found;
    },
  });
  const attempts = useLiveQuery<Attempt[]>({
    key: ["job", jobId, "attempts"],
    concerns,
    load: (client, signal) => client.attempts(jobId, { signal }),
  });
  const steps = useLiveQuery<Step[]>({
    key: ["job", jobId, "steps"],
    concerns,
    everyMs: running ? 2_000 : 15_000,
    load: (client, signal) => client.steps(jobId, { signal }),
  });
  const hasWaited =
    job.data?.waitsFor !== undefined || (attempts.data ?? []).some(({ outcome }) => outcome === "waiting");
  const waits = useLiveQuery<JobWait[]>({
    key: ["job", jobId, "waits"],
    concerns,
    enabled: hasWaited,
    load: (client, signal) => client.waits(jobId, { signal }),
  });
  const signals = useLiveQuery<JobSignal[]>({
    key: ["job", jobId, "signals"],
    concerns,
    load: (client, signal) => client.signals(jobId, { signal }),
  });
  const tree = useTree(jobId);
  if (!job.data) {
    return (
      <Page title={jobId}>
        <Loaded query={job}>{() => null}</Loaded>
      </Page>
    );
  }
  return (
    <One
      job={job.data}
      attempts={attempts.data ?? []}
      steps={steps.data ?? []}
      waits={waits.data ?? []}
      signals={signals.data ?? []}
      tree={tree}
      concerns={concerns}
    />
  );
}

/** The tree or flow of the job. It moves when any of its jobs does. */
function useTree(jobId: string): JobTree | undefined {
  const known = useRef<JobTree>(undefined);
  const concerns = useCallback((moves: Moves) => {
    const tree = known.current;
    // Jobs of a grouped call are not named.
    if (moves === undefined || !tree || tree.truncated) return true;
    return tree.nodes.some((node) => moves.has(node.jobId));
  }, []);
  const { data } = useLiveQuery<JobTree>({
    key: ["job", jobId, "tree"],
    concerns,
    load: (client, signal) => client.tree(jobId, { signal }),
  });
  known.current = data;
  return data;
}

interface Props {
  readonly job: Job;
  readonly attempts: readonly Attempt[];
  readonly steps: readonly Step[];
  readonly waits: readonly JobWait[];
  readonly signals: readonly JobSignal[];
  readonly tree: JobTree | undefined;
  /** Whether moved jobs include this one. */
  readonly concerns: (moves: Moves) => boolean;
}

function One({ job, attempts, steps, waits, signals, tree, concerns }: Props) {
  const now = useNow();
  const { jobId, state } = job;
  return (
    <Page
      title={jobId}
      about={
        <span className="job-about">
          <Status job={job} now={now} />
          <Link to={`/jobs?kind=${job.kind}`}>{job.kind}</Link>
          {job.stage !== "running" && <span>{job.stage === null ? "no plan yet" : `stage ${job.stage}`}</span>}
          <span>tenant {job.tenant}</span>
          {job.tags.map((tag) => (
            <Link key={tag} to={`/jobs?tag=${encodeURIComponent(tag)}`} className="tag">
              {tag}
            </Link>
          ))}
        </span>
      }
      actions={<Actions job={job} />}
    >
      {state === "running" && job.progress && (
        <div className="job-progress">
          <Progress value={job.progress.value} label="Progress" />
          <p className="dim number">
            {Math.round(job.progress.value * 100)} %{job.progress.message && `, ${job.progress.message}`}
          </p>
        </div>
      )}
      <Notices job={job} />
      {state === "pending" && job.heldFor === undefined && <Why jobId={jobId} />}
      <TimelinePanel job={job} attempts={attempts} waits={waits} />
      {tree && <TreePanel tree={tree} />}
      <Streams jobId={jobId} running={state === "running"} concerns={concerns} />
      <ResultOfKind job={job} />
      <Artifacts job={job} concerns={concerns} />
      <div className="job-columns">
        <div className="stack">
          <Panel title="Payload">
            <Json value={job.payload} label="Payload" />
          </Panel>
          <Logs jobId={jobId} running={state === "running"} />
          <Waits waits={waits} />
          <Signals signals={signals} />
          <Steps steps={steps} />
        </div>
        <div className="stack">
          {tree && <Relatives tree={tree} />}
          <Facts job={job} />
          <Attempts attempts={attempts} />
          <Copies job={job} />
        </div>
      </div>
    </Page>
  );
}

/** What a person should know before all else: why it failed, why it waits, what became of it. */
function Notices({ job }: { job: Job }) {
  const { failure, heldFor, heldUntil, retriedAs, retryOf, continuedAs, continuationOf, lastError, state } = job;
  return (
    <>
      {failure && (
        <div className="notice bad">
          <p>
            <LongText text={failure.message} />
          </p>
          <p className="notice-small">
            <code>{failure.code}</code>
            {failure.line !== undefined && `, line ${failure.line}`}
            {failure.column !== undefined && `, column ${failure.column}`}
            {failure.permanent
              ? ", permanent: it is not retried"
              : `, after ${job.retries} of ${job.maxAttempts} attempts`}
            {job.fingerprint !== undefined && (
              <>
                {" · "}
                <Link to={`/dead-letters?fingerprint=${encodeURIComponent(job.fingerprint)}`} className="text-link">
                  Dead letters with the same cause
                </Link>
              </>
            )}
          </p>
        </div>
      )}
      {job.holdsKey && (
        <div className="notice care">
          <p>
            The job holds the concurrency key <code>{job.concurrencyKey}</code>, so the jobs behind it wait. Revive it
            to keep the order, or cancel or delete it to let the next job run.
          </p>
        </div>
      )}
      {job.undoing && (
        <div className="notice care">
          <p>
            {job.undoing.because === "failed" ? "The job failed" : "The job was cancelled"}, and its steps are undone.
            Then it ends.
          </p>
        </div>
      )}
      {heldFor !== undefined && state === "pending" && (
        <div className="notice care">
          <p>
            Held: {heldFor}. It continues when it is released.
            {heldUntil !== undefined && (
              <>
                {" "}
                The hold expires <Ago at={heldUntil} />.
              </>
            )}
          </p>
        </div>
      )}
      {state === "pending" && heldFor === undefined && !job.undoing && !job.waitsFor && lastError && (
        <div className="notice care">
          <p>
            Attempt {job.attempt} failed and will be retried: <LongText text={lastError} />
          </p>
        </div>
      )}
      {state === "cancelled" && lastError && (
        <div className="notice off">
          <p>
            <LongText text={lastError} />
          </p>
        </div>
      )}
      {(continuedAs || continuationOf) && (
        <p className="dim">
          {continuedAs && (
            <>
              Continued as{" "}
              <Link to={`/jobs/${continuedAs}`} className="mono text-link">
                {continuedAs}
              </Link>
              .{" "}
            </>
          )}
          {continuationOf && (
            <>
              Continues{" "}
              <Link to={`/jobs/${continuationOf}`} className="mono text-link">
                {continuationOf}
              </Link>
              .
            </>
          )}
        </p>
      )}
      {(retriedAs || retryOf) && (
        <p className="dim">
          {retriedAs && (
            <>
              Revived as{" "}
              <Link to={`/jobs/${retriedAs}`} className="mono text-link">
                {retriedAs}
              </Link>
              .{" "}
            </>
          )}
          {retryOf && (
            <>
              Revived from{" "}
              <Link to={`/jobs/${retryOf}`} className="mono text-link">
                {retryOf}
              </Link>
              .
            </>
          )}
        </p>
      )}
    </>
  );
}

/** It waits for its time, and for nothing else. */
function isLater({ state, heldFor, waitsFor, undoing, runAt }: Job): boolean {
  if (state !== "pending" || heldFor !== undefined || waitsFor || undoing) return false;
  return Date.parse(runAt) > Date.now() + 1_000;
}

function Actions({ job }: { job: Job }) {
  const may = useMay();
  const [asked, setAsked] = useState<"cancel" | "retry" | "forget" | "signal" | "change" | "release">();
  const runNow = useAct({ run: (client) => client.runNow(job.jobId), done: () => "The job starts now." });
  if (!may("submit")) return null;
  const { state } = job;
  const unfinished = state === "pending" || state === "running";
  const close = () => setAsked(undefined);
  return (
    <>
      {job.heldFor !== undefined && state === "pending" && (
        <Button look="primary" onClick={() => setAsked("release")}>
          Release…
        </Button>
      )}
      {(state === "failed" || state === "cancelled") && job.retriedAs === undefined && (
        <Button look="primary" onClick={() => setAsked("retry")}>
          {state === "failed" ? "Revive…" : "Retry…"}
        </Button>
      )}
      {unfinished && job.waitsFor?.some(({ type }) => type === "signal") && (
        <Button onClick={() => setAsked("signal")}>Send a signal…</Button>
      )}
      {isLater(job) && (
        <Button look="primary" busy={runNow.isPending} onClick={() => runNow.mutate()}>
          Run now
        </Button>
      )}
      {state === "pending" && !job.undoing && <Button onClick={() => setAsked("change")}>Change…</Button>}
      {((unfinished && !job.undoing) || job.holdsKey) && (
        <Button look="danger" onClick={() => setAsked("cancel")}>
          Cancel…
        </Button>
      )}
      {!unfinished && (
        <Button look="danger" onClick={() => setAsked("forget")}>
          Delete…
        </Button>
      )}
      {asked === "signal" && <SignalDialog job={job} onClose={close} />}
      {asked === "release" && <ReleaseDialog job={job} onClose={close} />}
      {asked === "change" && <ChangeDialog job={job} onClose={close} />}
      {asked === "cancel" && <CancelDialog job={job} onClose={close} />}
      {asked === "retry" && <RetryDialog job={job} onClose={close} onRevived={(id) => navigate(`/jobs/${id}`)} />}
      {asked === "forget" && <ForgetDialog job={job} onClose={close} onForgotten={() => navigate("/jobs")} />}
    </>
  );
}
