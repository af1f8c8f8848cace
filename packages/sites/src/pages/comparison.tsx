import { Link, Panel, useLiveQuery } from "millrace/dashboard";
import { type SiteComparison, sites } from "../client.ts";

/** Beside the run of this site before this one, where there is one. */
export function Comparison({ jobId }: { jobId: string }) {
  const compared = useLiveQuery<SiteComparison | null>({
    key: ["comparison", jobId],
    // No earlier run is an answer, not a fault.
    load: (client, signal) =>
      client
        .with(sites)
        .sites.compare(jobId, { signal })
        .catch(() => null),
    concerns: NEVER,
    everyMs: false,
  });
  const found = compared.data;
  if (!found) return null;
  const rows = [
    ...found.changes.map(({ id, label, before, after, beyondChance }) => ({
      id,
      label,
      before,
      after,
      note: beyondChance ? "beyond chance" : "",
    })),
    ...found.readiness.map((change) => ({ ...change, note: "" })),
    ...found.coverage.map(({ prompt, before, after }) => ({ id: prompt, label: prompt, before, after, note: "" })),
  ];
  return (
    <Panel
      title="Since the previous run"
      aside={
        <Link to={`/sites/${found.before}`} className="mono">
          {found.before}
        </Link>
      }
    >
      {!found.comparable && <p className="panel-body dim">The figures cannot be compared: {found.reasons.join(" ")}</p>}
      {rows.length === 0 ? (
        <p className="panel-body dim">Nothing changed.</p>
      ) : (
        <div className="table-scroll">
          <table className="table">
            <thead>
              <tr>
                <th className="wide">What</th>
                <th>Before</th>
                <th>Now</th>
                <th />
              </tr>
            </thead>
            <tbody>
              {rows.map(({ id, label, before, after, note }) => (
                <tr key={id}>
                  <td className="wide">{label}</td>
                  <td className="dim nowrap" data-label="before">
                    {before}
                  </td>
                  <td className="nowrap" data-label="now">
                    {after}
                  </td>
                  <td className="dim nowrap">{note}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Panel>
  );
}

/** A finished run does not change. */
const NEVER = () => false;
