import { useState } from "react";
import type { DeadLetterFilter, DeadLetterList } from "../../src/client/index.ts";
import { useAct, useLiveQuery, useSurroundings } from "../lib/data.ts";
import { preview } from "../lib/format.ts";
import { navigate } from "../lib/router.ts";
import { Button } from "../ui/button.tsx";
import { Link } from "../ui/link.tsx";
import { Loaded } from "../ui/page.tsx";
import { Ago } from "../ui/time.tsx";
import type { Targets } from "./dialogs.tsx";

const PAGE = 50;

interface Props {
  readonly filter: DeadLetterFilter;
  readonly acts: boolean;
  readonly onRevive: (targets: Targets) => void;
}

/** The letters of one cause: each can be opened or revived, some can be selected. */
export function Letters({ filter, acts, onRevive }: Props) {
  const { session } = useSurroundings();
  const [limit, setLimit] = useState(PAGE);
  const [chosen, setSelected] = useState<ReadonlySet<string>>(new Set());
  const letters = useLiveQuery<DeadLetterList>({
    key: ["dlq", filter, limit],
    load: (client, signal) => client.deadLetters.list({ ...filter, limit }, { signal }),
  });
  const revive = useAct<string, { jobId: string }>({
    run: (client, jobId) => client.retry(jobId),
    done: (job) => `Revived as ${job.jobId}.`,
    after: (job) => navigate(`/jobs/${job.jobId}`),
  });
  const choose = (jobId: string, on: boolean) => {
    const next = new Set(chosen);
    if (on) next.add(jobId);
    else next.delete(jobId);
    setSelected(next);
  };
  return (
    <Loaded query={letters}>
      {({ items, total }) => {
        const ids = items.map(({ jobId }) => jobId).filter((jobId) => chosen.has(jobId));
        return (
          <>
            {ids.length > 0 && (
              <div className="chosen">
                <span>{ids.length} selected</span>
                <Button
                  className="small"
                  onClick={() => onRevive({ about: `${ids.length} selected dead letters`, ids, count: ids.length })}
                >
                  Revive selected…
                </Button>
              </div>
            )}
            <div className="table-scroll">
              <table className="table">
                <thead>
                  <tr>
                    {acts && (
                      <th>
                        <span className="visually-hidden">Selected</span>
                      </th>
                    )}
                    <th>Job</th>
                    {session.allTenants && <th>Tenant</th>}
                    <th className="wide">Payload</th>
                    <th>Failed</th>
                    {acts && <th />}
                  </tr>
                </thead>
                <tbody>
                  {items.map(({ jobId, tenant, payload, failedAt }) => (
                    <tr key={jobId}>
                      {acts && (
                        <td>
                          <input
                            type="checkbox"
                            aria-label={`Select ${jobId}`}
                            checked={chosen.has(jobId)}
                            onChange={(event) => choose(jobId, event.target.checked)}
                          />
                        </td>
                      )}
                      <td>
                        <Link to={`/jobs/${jobId}`} className="mono">
                          {jobId}
                        </Link>
                      </td>
                      {session.allTenants && <td className="dim">{tenant}</td>}
                      <td className="wide dim mono">{preview(payload)}</td>
                      <td className="dim number nowrap">
                        <Ago at={failedAt} />
                      </td>
                      {acts && (
                        <td className="right">
                          <Button
                            className="small"
                            busy={revive.isPending && revive.variables === jobId}
                            aria-label={`Revive ${jobId}`}
                            onClick={() => revive.mutate(jobId)}
                          >
                            Revive
                          </Button>
                        </td>
                      )}
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
            {total > items.length && limit < 500 && (
              <p className="more">
                <Button look="quiet" onClick={() => setLimit(Math.min(500, limit + 100))}>
                  Show more of {total}
                </Button>
              </p>
            )}
          </>
        );
      }}
    </Loaded>
  );
}
