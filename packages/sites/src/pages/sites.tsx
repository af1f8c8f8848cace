import { Ago, Badge, Empty, Lasting, Link, Loaded, Page, Panel, Status, useMay, useNow } from "millrace/dashboard";
import type { SiteSummary } from "../client.ts";
import { SITES_ICON } from "../icon.ts";
import { SiteForm } from "./form.tsx";
import { Tracks } from "./tracks.tsx";
import { asJob, isFinished, STAGES, shortUrl, useSites } from "./use-sites.ts";

export function SitesPage() {
  const may = useMay();
  const sites = useSites();
  return (
    <Page title="Sites" about="How AI models see a website: three stages, one report.">
      {may("submit") && <SiteForm />}
      <Loaded query={sites}>
        {(all) => (
          <>
            <Board sites={all.filter((site) => !isFinished(site))} />
            <Runs sites={all.filter(isFinished)} />
          </>
        )}
      </Loaded>
      <Tracks />
    </Page>
  );
}

/** What is under way, by stage: cards move from left to right. */
function Board({ sites }: { sites: readonly SiteSummary[] }) {
  return (
    <section className="board" aria-label="Under way">
      {STAGES.map(({ stage, name, about }, i) => {
        const here = sites.filter(({ status }) => status === stage || (i === 0 && status === "not-started"));
        return (
          <section key={stage} className="panel" aria-label={name}>
            <header className="panel-head">
              <h2>{name}</h2>
              <span className="dim number">{here.length}</span>
            </header>
            {here.length === 0 ? (
              <p className="panel-body dim">{about}</p>
            ) : (
              <ul className="cards">
                {here.map((site) => (
                  <Card key={site.jobId} site={site} />
                ))}
              </ul>
            )}
          </section>
        );
      })}
    </section>
  );
}

function Card({ site }: { site: SiteSummary }) {
  return (
    <li className={site.inProgress ? "card moving" : "card"}>
      <Link to={`/sites/${site.jobId}`}>{shortUrl(site.url)}</Link>
      <p className="card-foot">
        {site.waitsFor ? (
          <Badge tone="care">{site.waitsFor === "review" ? "waits for review" : "needs budget"}</Badge>
        ) : (
          <span className="dim">{site.inProgress ? "running" : "waiting"}</span>
        )}
        <span className="dim number">
          <Lasting from={site.createdAt} />
        </span>
      </p>
    </li>
  );
}

function Runs({ sites }: { sites: readonly SiteSummary[] }) {
  const now = useNow();
  return (
    <Panel title="Runs">
      {sites.length === 0 ? (
        <Empty title="No run has finished yet." icon={SITES_ICON}>
          Enter a web address above. Without models, only the site's own text is checked, and this machine sends
          requests only to the site.
        </Empty>
      ) : (
        <div className="table-scroll">
          <table className="table">
            <thead>
              <tr>
                <th>Site</th>
                <th>Status</th>
                <th className="wide">Finding</th>
                <th>Took</th>
                <th>Submitted</th>
              </tr>
            </thead>
            <tbody>
              {sites.map((site) => (
                <tr key={site.jobId}>
                  <td className="nowrap">
                    <Link to={`/sites/${site.jobId}`}>{shortUrl(site.url)}</Link>
                  </td>
                  <td>
                    <Status job={asJob(site)} now={now} />
                  </td>
                  <td className="wide">{site.error ? <span className="bad-ink">{site.error}</span> : site.headline}</td>
                  <td className="dim number nowrap">
                    <Lasting from={site.createdAt} to={site.completedAt} />
                  </td>
                  <td className="dim number nowrap">
                    <Ago at={site.createdAt} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Panel>
  );
}
