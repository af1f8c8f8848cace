import { useState } from "react";
import type { Limiter } from "../../src/client/index.ts";
import { useAct, useLiveQuery } from "../lib/data.ts";
import { count, duration } from "../lib/format.ts";
import { Button } from "../ui/button.tsx";
import { Empty, Loaded, Panel } from "../ui/page.tsx";
import { Badge } from "../ui/status.tsx";
import { Ago } from "../ui/time.tsx";
import { LimiterDialog } from "./limiter-dialog.tsx";

export function Limiters() {
  const limiters = useLiveQuery<Limiter[]>({
    key: ["limiters"],
    load: (client, signal) => client.limits.limiters({ signal }),
    everyMs: 5_000,
  });
  const [edited, setEdited] = useState<Limiter>();
  return (
    <Panel title="Rate limiters">
      <Loaded query={limiters}>
        {(all) =>
          all.length === 0 ? (
            <Empty title="No limiter yet.">
              A limiter is defined in <code>Millrace.open</code>, and jobs take from it with <code>ctx.limit</code>.
            </Empty>
          ) : (
            <div className="table-scroll">
              <table className="table">
                <thead>
                  <tr>
                    <th className="wide">Limiter</th>
                    <th>Rule</th>
                    <th className="number">Left</th>
                    <th>Used today</th>
                    <th>State</th>
                    <th>
                      <span className="visually-hidden">Actions</span>
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {all.map((limiter) => (
                    <Row key={limiter.name} limiter={limiter} onEdit={() => setEdited(limiter)} />
                  ))}
                </tbody>
              </table>
            </div>
          )
        }
      </Loaded>
      {edited && <LimiterDialog limiter={edited} onClose={() => setEdited(undefined)} />}
    </Panel>
  );
}

function Row({ limiter, onEdit }: { limiter: Limiter; onEdit: () => void }) {
  const { name, rule, isSet, left, blockedUntil, usedToday, tenants = [] } = limiter;
  const unblock = useAct<void, Limiter>({
    run: (client) => client.limits.unblockLimiter(name),
    done: () => `${name} is no longer blocked.`,
  });
  const [first] = tenants;
  return (
    <tr>
      <td className="wide">{name}</td>
      <td className="nowrap" data-label="rule">
        {count(rule.count)} per {duration(rule.perMs)}
        {rule.perDay !== undefined && `, ${count(rule.perDay)} a day`}
        {rule.perTenantPerDay !== undefined && `, ${count(rule.perTenantPerDay)} a day and tenant`}
      </td>
      <td className="number" data-label="left">
        {count(Math.floor(left))}
      </td>
      <td data-label="used today">
        {usedToday === undefined ? <span className="dim">–</span> : count(usedToday)}
        {first && <span className="dim">, most by {first.tenant}</span>}
      </td>
      <td>
        {blockedUntil !== undefined ? (
          <>
            <Badge tone="care">blocked</Badge>{" "}
            <span className="dim">
              ends <Ago at={blockedUntil} />
            </span>
          </>
        ) : isSet ? (
          <Badge tone="running">set by an operator</Badge>
        ) : (
          <Badge tone="good">as in the code</Badge>
        )}
      </td>
      <td className="right nowrap">
        {blockedUntil !== undefined && (
          <Button
            className="small"
            busy={unblock.isPending}
            onClick={() => unblock.mutate()}
            aria-label={`Unblock ${name}`}
          >
            Unblock
          </Button>
        )}{" "}
        <Button className="small" onClick={onEdit} aria-label={`Edit the limiter ${name}`}>
          Edit…
        </Button>
      </td>
    </tr>
  );
}
