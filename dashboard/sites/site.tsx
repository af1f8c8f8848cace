import { useState } from "react";
import { useAct, useMay, useSurroundings } from "../lib/data.ts";
import { count, plural } from "../lib/format.ts";
import { navigate } from "../lib/router.ts";
import { useNow } from "../lib/use-now.ts";
import { Button } from "../ui/button.tsx";
import { Link } from "../ui/link.tsx";
import { Loaded, Page, Panel } from "../ui/page.tsx";
import { Progress, Status } from "../ui/status.tsx";
import { Lasting } from "../ui/time.tsx";
import type { Budget as BudgetLimits, SiteView } from "./api.ts";
import { Grid } from "./grid.tsx";
import { NeedsBudget, Review } from "./holds.tsx";
import { shortUrl } from "./page.tsx";
import { Pages, Profile } from "./profile.tsx";
import { asJob, isFinished, STAGES, useSite, useSiteCalls } from "./use-sites.ts";
import "./sites.css";

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
      {site.status === "completed" && <Report site={site} />}
      <Spending site={site} />
      {site.prompts && <Grid site={site} />}
      {site.profile && <Profile profile={site.profile} />}
      <Pages pages={site.pages} />
    </Page>
  );
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
              <p className="dim">{retries > 0 ? `${plural(retries, "retry", "retries")} so far` : about}</p>
            </div>
          </li>
        );
      })}
    </ol>
  );
}

function Actions({ site }: { site: SiteView }) {
  const may = useMay();
  const calls = useSiteCalls();
  const retry = useAct<void, { jobId: string }>({
    run: () => calls.retryMissing(site.jobId),
    done: () => "Only what is missing is asked for.",
    after: ({ jobId }) => navigate(`/sites/${jobId}`),
  });
  const isOver = site.status === "completed";
  return (
    <>
      {may("submit") && isOver && (site.missing ?? 0) > 0 && (
        <Button busy={retry.isPending} onClick={() => retry.mutate()}>
          Ask for the {site.missing} missing
        </Button>
      )}
      {isOver && (
        <>
          <a className="button" href={`/sites/${site.jobId}/report.json`} download>
            JSON
          </a>
          <a className="button" href={`/sites/${site.jobId}/report.csv`} download>
            CSV
          </a>
          <a className="button primary" href={`/sites/${site.jobId}/report`} target="_blank" rel="noreferrer">
            Open the report
          </a>
        </>
      )}
    </>
  );
}

/** In a frame that may run nothing: it is a page of its own, made from what strangers wrote. */
function Report({ site }: { site: SiteView }) {
  const { session } = useSurroundings();
  // A frame carries no header that names the tenant, so it shows those of the session's own.
  if (session.tenant !== site.job.tenant) return null;
  return (
    <Panel title="Report">
      <iframe
        className="report"
        title={`Report on ${shortUrl(site.url)}`}
        src={`/sites/${site.jobId}/report`}
        sandbox=""
      />
    </Panel>
  );
}

function Spending({ site: { spent, budget, estimate, mode } }: { site: SiteView }) {
  if (mode === "extractive" || (spent.calls === 0 && !estimate)) return null;
  return (
    <dl className="spending">
      <Spent name="Calls" value={count(spent.calls)} most={budget?.calls} estimate={estimate?.calls} />
      <Spent name="Tokens" value={count(spent.tokens)} most={budget?.tokens} estimate={estimate?.tokens} />
      <Spent name="Dollars" value={dollars(spent.usd)} most={budget?.usd} estimate={estimate?.usd} />
    </dl>
  );
}

function Spent({
  name,
  value,
  most,
  estimate,
}: {
  name: string;
  value: string;
  most: BudgetLimits["usd"];
  estimate?: number | null | undefined;
}) {
  return (
    <div>
      <dt className="dim">{name}</dt>
      <dd className="number">
        <b>{value}</b>
        {most !== undefined && <span className="dim"> of {count(most)}</span>}
        {most === undefined && estimate != null && <span className="dim"> of about {count(estimate)}</span>}
      </dd>
    </div>
  );
}

function dollars(usd: number | null): string {
  return usd === null ? "unknown" : `$${usd.toFixed(usd < 1 ? 4 : 2)}`;
}
