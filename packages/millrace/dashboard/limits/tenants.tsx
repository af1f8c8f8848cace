import { useState } from "react";
import type { Tenant } from "../../src/client/index.ts";
import { useLiveQuery } from "../lib/data.ts";
import { count, duration } from "../lib/format.ts";
import { Button } from "../ui/button.tsx";
import { Empty, Loaded, Panel } from "../ui/page.tsx";
import { TenantDialog } from "./tenant-dialog.tsx";

export function Tenants() {
  const tenants = useLiveQuery<Tenant[]>({ key: ["tenants"], load: (client, signal) => client.tenants({ signal }) });
  const [edited, setEdited] = useState<Tenant | "new">();
  return (
    <Panel
      title="Tenants"
      aside={
        <Button className="small" onClick={() => setEdited("new")}>
          Limit a tenant…
        </Button>
      }
    >
      <Loaded query={tenants}>
        {(all) =>
          all.length === 0 ? (
            <Empty title="No tenant yet.">A tenant appears with its first job, or when you limit it.</Empty>
          ) : (
            <div className="table-scroll">
              <table className="table">
                <thead>
                  <tr>
                    <th className="wide">Tenant</th>
                    <th className="number">Running</th>
                    <th className="number">Pending</th>
                    <th>At once</th>
                    <th>New jobs</th>
                    <th>Weight</th>
                    <th>Queue</th>
                    <th>
                      <span className="visually-hidden">Actions</span>
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {all.map((tenant) => (
                    <Row key={tenant.tenant} tenant={tenant} onEdit={() => setEdited(tenant)} />
                  ))}
                </tbody>
              </table>
            </div>
          )
        }
      </Loaded>
      {edited !== undefined && (
        <TenantDialog tenant={edited === "new" ? undefined : edited} onClose={() => setEdited(undefined)} />
      )}
    </Panel>
  );
}

function Row({ tenant: { tenant, running, pending, limits = {} }, onEdit }: { tenant: Tenant; onEdit: () => void }) {
  const { concurrency, rate, weight, queueMax, overflow } = limits;
  const ofRate = rate && (rate.count === 0 ? "no limit" : `${count(rate.count)} per ${duration(rate.perMs)}`);
  return (
    <tr>
      <td className="wide">{tenant}</td>
      <td className="number" data-label="running">
        {count(running)}
      </td>
      <td className="number" data-label="pending">
        {count(pending)}
      </td>
      <td className="nowrap" data-label="at once">
        <Own value={limitText(concurrency)} more={overflow && `, then ${overflow}`} />
      </td>
      <td className="nowrap" data-label="new jobs">
        <Own value={ofRate} />
      </td>
      <td data-label="weight">
        <Own value={weight?.toString()} otherwise="1" />
      </td>
      <td data-label="queue">
        <Own value={limitText(queueMax)} />
      </td>
      <td className="right">
        <Button className="small" onClick={onEdit} aria-label={`Edit the limits of ${tenant}`}>
          Edit…
        </Button>
      </td>
    </tr>
  );
}

function limitText(limit: number | undefined): string | undefined {
  return limit === 0 ? "no limit" : limit === undefined ? undefined : count(limit);
}

interface OwnProps {
  readonly value: string | undefined;
  readonly more?: string | undefined;
  readonly otherwise?: string;
}

/** What is not the tenant's own is dim: it comes from the settings. */
function Own({ value, more = "", otherwise = "default" }: OwnProps) {
  return value === undefined && more === "" ? (
    <span className="dim">{otherwise}</span>
  ) : (
    <>
      {value ?? otherwise}
      {more}
    </>
  );
}
