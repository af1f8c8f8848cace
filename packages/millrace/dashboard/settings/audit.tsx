import type { AuditEntry } from "../../src/client/index.ts";
import { useLiveQuery } from "../lib/data.ts";
import { Link } from "../ui/link.tsx";
import { Empty, Loaded, Panel } from "../ui/page.tsx";
import { Ago } from "../ui/time.tsx";

export function Audit() {
  const entries = useLiveQuery<AuditEntry[]>({
    key: ["audit"],
    load: (client, signal) => client.audit({ limit: 200 }, { signal }),
    everyMs: 5_000,
  });
  return (
    <Panel title="Audit" aside={<span>the latest 200</span>}>
      <Loaded query={entries}>
        {(all) =>
          all.length === 0 ? (
            <Empty title="No entries yet.">
              Records submissions in the dashboard, cancels, revivals, pauses, changes of keys and schedules, and
              sign-ins.
            </Empty>
          ) : (
            <div className="table-scroll">
              <table className="table">
                <thead>
                  <tr>
                    <th>When</th>
                    <th>Who</th>
                    <th>What</th>
                    <th className="wide">Target</th>
                    <th>Tenant</th>
                  </tr>
                </thead>
                <tbody>
                  {all.map(({ id, at, who, what, target, tenant }) => (
                    <tr key={id}>
                      <td className="nowrap dim">
                        <Ago at={at} />
                      </td>
                      <td>{who}</td>
                      <td className="nowrap">{what}</td>
                      <td className="wide">{target && <Target target={target} />}</td>
                      <td className="dim" data-label="tenant">
                        {tenant}
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          )
        }
      </Loaded>
    </Panel>
  );
}

function Target({ target }: { target: string }) {
  const [, what] = /^(job|batch|op)_\w{8}$/.exec(target) ?? [];
  if (what === undefined) return target;
  const path = { job: "/jobs/", batch: "/batches/", op: "/operations?id=" }[what] as string;
  return (
    <Link to={`${path}${target}`} className="mono">
      {target}
    </Link>
  );
}
