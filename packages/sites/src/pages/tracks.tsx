import {
  Ago,
  Button,
  Empty,
  Link,
  Loaded,
  navigate,
  Page,
  Panel,
  useAct,
  useLiveQuery,
  useMay,
  useSession,
} from "millrace/dashboard";
import { type SiteTrack, type SiteTrackSummary, sites } from "../client.ts";
import { SITES_ICON } from "../icon.ts";
import { Trend } from "./trend.tsx";
import { ofTracks, shortUrl } from "./use-sites.ts";

/** Beside the runs: what is run again and again. */
export function Tracks() {
  const session = useSession();
  const tracks = useLiveQuery<SiteTrackSummary[]>({
    key: ["site-tracks"],
    load: (client, signal) => client.with(sites).sites.tracks.list({ signal }),
    concerns: ofTracks,
  });
  return (
    <Loaded query={tracks}>
      {(all) =>
        all.length === 0 ? null : (
          <Panel title="Tracks" aside={<span>the same prompts, again and again</span>}>
            <div className="table-scroll">
              <table className="table">
                <thead>
                  <tr>
                    <th>Track</th>
                    {session.allTenants && <th>Tenant</th>}
                    <th>Site</th>
                    <th>Every</th>
                    <th>Names you</th>
                    <th>Changes</th>
                    <th>Last run</th>
                  </tr>
                </thead>
                <tbody>
                  {all.map((track) => (
                    <Row key={`${track.tenant} ${track.name}`} track={track} />
                  ))}
                </tbody>
              </table>
            </div>
          </Panel>
        )
      }
    </Loaded>
  );
}

function Row({ track }: { track: SiteTrackSummary }) {
  const session = useSession();
  const { name, tenant, url, every, latest: last, changeCount, lastRun } = track;
  return (
    <tr>
      <td className="nowrap">
        <Link to={`/sites/tracks/${name}`}>{name}</Link>
      </td>
      {session.allTenants && <td className="dim">{tenant}</td>}
      <td className="nowrap">{shortUrl(url)}</td>
      <td className="nowrap">{every}</td>
      <td className="number nowrap">
        {lastRun?.error ? <span className="bad-ink">failed</span> : last ? `${last.k} of ${last.n}` : "no run yet"}
      </td>
      <td className="number">{changeCount}</td>
      <td className="dim number nowrap">{lastRun ? <Ago at={lastRun.at} /> : "–"}</td>
    </tr>
  );
}

export function TrackPage({ id }: { id: string }) {
  const track = useLiveQuery<SiteTrack>({
    key: ["site-tracks", id],
    load: (client, signal) => client.with(sites).sites.tracks.get(id, { signal }),
    concerns: ofTracks,
  });
  if (track.data) return <One track={track.data} />;
  return (
    <Page title="Track">
      <Loaded query={track}>{() => null}</Loaded>
    </Page>
  );
}

function One({ track }: { track: SiteTrack }) {
  const { name, url, every, nextAt, trend, changes, lastRun, prompts = [] } = track;
  return (
    <Page
      title={name}
      about={
        <span className="job-about">
          <span>{shortUrl(url)}</span>
          <span>every {every}</span>
          {nextAt && <span>next look {nextAt.slice(0, 16).replace("T", " ")} UTC</span>}
        </span>
      }
      actions={<Delete name={name} />}
    >
      {lastRun?.error && <p className="notice bad">The last run failed: {lastRun.error}</p>}
      <Panel title="Answers that name you" aside={<span>bands: 95 % intervals</span>}>
        {trend.length === 0 ? (
          <Empty title="No run has finished yet." icon={SITES_ICON}>
            The first run is under way.
          </Empty>
        ) : (
          <Trend points={trend} />
        )}
      </Panel>
      <Panel title="Changes outside the noise">
        {changes.length === 0 ? (
          <p className="panel-body dim">None so far: everything that moved may be chance.</p>
        ) : (
          <div className="table-scroll">
            <table className="table">
              <tbody>
                {changes.flatMap(({ at, jobId, changes: all }) =>
                  all.map(({ id, label, before, after }) => (
                    <tr key={`${jobId} ${id}`}>
                      <td className="nowrap">
                        <Link to={`/sites/${jobId}`}>{at.slice(0, 10)}</Link>
                      </td>
                      <td>{label}</td>
                      <td className="number">{before}</td>
                      <td className="number">{after}</td>
                    </tr>
                  )),
                )}
              </tbody>
            </table>
          </div>
        )}
      </Panel>
      <Panel title="Prompts of every run">
        <ol className="panel-body">
          {prompts.map((prompt) => (
            <li key={prompt}>{prompt}</li>
          ))}
        </ol>
      </Panel>
    </Page>
  );
}

function Delete({ name }: { name: string }) {
  const may = useMay();
  const remove = useAct({
    run: (client) => client.with(sites).sites.tracks.delete(name),
    done: () => "Deleted. Its runs are kept.",
    after: () => navigate("/sites"),
  });
  if (!may("submit")) return null;
  return (
    <Button busy={remove.isPending} onClick={() => remove.mutate()}>
      Delete the track
    </Button>
  );
}
