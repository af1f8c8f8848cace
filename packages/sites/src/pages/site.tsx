import type { Job } from "millrace/client";
import {
  addressOf,
  Button,
  count,
  Lasting,
  Link,
  Loaded,
  navigate,
  Page,
  Panel,
  Progress,
  plural,
  Status,
  useAct,
  useMay,
  useNow,
  useSession,
} from "millrace/dashboard";
import { useState } from "react";
import { type SiteView, sites } from "../client.ts";
import { Comparison } from "./comparison.tsx";
import { Grid } from "./grid.tsx";
import { NeedsBudget, Review } from "./holds.tsx";
import { Pages, Profile, Readiness } from "./profile.tsx";
import { asJob, isFinished, STAGES, shortUrl, useSite } from "./use-sites.ts";

export function SitePage({ id }: { id: string }) {
  const [running, setRunning] = useState(true);
  const site = useSite(id, running);
  const view = site.data;
  if (view && running !== !isFinished(view)) setRunning(!isFinished(view));
  if (!view) {
    return (
      <Page title="Site">
        <Loaded query={site}>{() => null}</Loaded>
      </Page>
    );
  }
  return <One site={view} />;
}

function One({ site }: { site: SiteView }) {
  const now = useNow();
  const { job } = site;
  return (
    <Page
      title={shortUrl(site.url)}
      about={
        <span className="job-about">
          <Status job={asJob(site)} now={now} />
          <Link to={`/jobs/${site.jobId}`} className="mono">
            {site.jobId}
          </Link>
          <span>
            <Lasting from={site.createdAt} to={site.completedAt} />
          </span>
          {site.mode === "extractive" && <span className="tag">No AI model was asked</span>}
        </span>
      }
      actions={<Actions site={site} />}
    >
      {site.headline && <p className="headline">{site.headline}</p>}
      {site.error && <p className="notice bad">{site.error}</p>}
      <Stepper site={site} />
      {job.progress && site.inProgress && (
        <div className="job-progress">
          <Progress value={job.progress.value} label="Progress of this stage" />
          <p className="dim">{job.progress.message}</p>
        </div>
      )}
      {site.waitsFor === "review" && <Review site={site} />}
      {site.waitsFor === "budget" && <NeedsBudget site={site} />}
      {(site.status === "completed" || hasReport(site)) && <Report site={site} />}
      {site.status === "completed" && <Comparison jobId={site.jobId} />}
      <Spending site={site} />
      {site.prompts && site.waitsFor !== "review" && <Grid site={site} />}
      {site.profile ? (
        <>
          <div className="halves">
            <Profile profile={site.profile} />
            <Pages pages={site.pages} />
          </div>
          <Readiness checks={site.profile.readiness} />
        </>
      ) : (
        <Pages pages={site.pages} />
      )}
    </Page>
  );
}

/** A run that failed because no model could be measured has written its report before. */
function hasReport({ status, job }: SiteView): boolean {
  return status === "failed" && job.stage === "model-analysis" && job.failure?.code === "models-failed";
}

/** The three stages: done, here, to come. */
function Stepper({ site }: { site: SiteView }) {
  const here = Math.max(
    0,
    STAGES.findIndex(({ stage }) => stage === site.job.stage),
  );
  const isDone = site.status === "completed";
  return (
    <ol className="stepper">
      {STAGES.map(({ stage, name, about }, i) => {
        const state = isDone || i < here ? "done" : i === here ? (isFinished(site) ? "stopped" : "here") : "ahead";
        const retries = site.retriesByStage[stage] ?? 0;
        return (
          <li key={stage} className={state} aria-current={state === "here" ? "step" : undefined}>
            <span className="stepper-number">{i + 1}</span>
            <div>
              <p className="stepper-name">{name}</p>
              <p className="dim stepper-about">
                {retries > 0 ? `${plural(retries, "retry", "retries")} so far` : about}
              </p>
            </div>
          </li>
        );
      })}
    </ol>
  );
}

function Actions({ site }: { site: SiteView }) {
  const may = useMay();
  const retry = useAct<void, Job>({
    run: (client) => client.with(sites).sites.retry(site.jobId),
    done: () => "A new run continues it and keeps the answers so far.",
    after: ({ jobId }) => navigate(`/sites/${jobId}`),
  });
  const reportAt = useReportAddress(site);
  const isOver = site.status === "completed" || hasReport(site);
  return (
    <>
      {may("submit") && site.status === "completed" && (site.missing ?? 0) > 0 && (
        <Button busy={retry.isPending} onClick={() => retry.mutate()}>
          Ask for the {site.missing} missing
        </Button>
      )}
      {may("submit") && (site.status === "failed" || site.status === "cancelled") && (
        <Button look="primary" busy={retry.isPending} onClick={() => retry.mutate()}>
          {site.prompts ? "Repeat missing calls" : "Try again"}
        </Button>
      )}
      {isOver && (
        <>
          {(["json", "csv", "pdf"] as const).map((form) => (
            <a key={form} className="button" href={reportAt(`.${form}`)} download>
              {form.toUpperCase()}
            </a>
          ))}
          <a className="button primary" href={reportAt("")} target="_blank" rel="noreferrer">
            Open the report
          </a>
        </>
      )}
    </>
  );
}

/** Frames and downloads carry no header, so an administrator's address says whose run it is. */
function useReportAddress({ jobId, job }: SiteView): (form: string) => string {
  const session = useSession();
  const whose = session.tenant === job.tenant ? "" : `?tenant=${encodeURIComponent(job.tenant)}`;
  return (form) => addressOf(`/sites/${jobId}/report${form}${whose}`);
}

/** In a frame that may run nothing: it is a page of its own, made from what strangers wrote. */
function Report({ site }: { site: SiteView }) {
  const reportAt = useReportAddress(site);
  return (
    <Panel title="Report">
      <iframe className="report" title={`Report on ${shortUrl(site.url)}`} src={reportAt("")} sandbox="" />
    </Panel>
  );
}

function Spending({ site: { spent, budget, estimate, mode } }: { site: SiteView }) {
  if (mode === "extractive" || (spent.calls === 0 && !estimate)) return null;
  return (
    <dl className="spending">
      <Spent name="Calls" spent={spent.calls} most={budget?.calls} estimate={estimate?.calls} words={count} />
      <Spent name="Tokens" spent={spent.tokens} most={budget?.tokens} estimate={estimate?.tokens} words={count} />
      <Spent name="Dollars" spent={spent.usd} most={budget?.usd} estimate={estimate?.usd} words={dollars} />
    </dl>
  );
}

interface SpentProps {
  readonly name: string;
  readonly spent: number | null;
  readonly most: number | undefined;
  readonly estimate: number | null | undefined;
  readonly words: (value: number) => string;
}

function Spent({ name, spent, most, estimate, words }: SpentProps) {
  return (
    <div>
      <dt className="dim">{name}</dt>
      <dd className="number">
        <b>{spent === null ? "unknown" : words(spent)}</b>
        {most !== undefined && <span className="dim"> of {words(most)}</span>}
        {most === undefined && estimate != null && <span className="dim"> of about {words(estimate)}</span>}
      </dd>
    </div>
  );
}

function dollars(usd: number): string {
  return `$${usd.toFixed(usd > 0 && usd < 1 ? 4 : 2)}`;
}
