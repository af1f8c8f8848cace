import { useState } from "react";
import type { FigurePoint, Tenant } from "../../src/client/index.ts";
import { useLiveQuery, useMay } from "../lib/data.ts";
import { compact, count } from "../lib/format.ts";
import { useQueryState } from "../lib/router.ts";
import { TenantDialog } from "../limits/tenant-dialog.tsx";
import { FiguresOf } from "../overview/figures-of.tsx";
import { useHistory } from "../overview/history.ts";
import { lastMinute, ratePerMinute } from "../overview/rates.ts";
import { Button } from "../ui/button.tsx";
import { Link } from "../ui/link.tsx";
import { Empty, Loaded, Page } from "../ui/page.tsx";
import { Spark } from "../ui/spark.tsx";
import { Badge } from "../ui/status.tsx";
import { type Column, Table } from "../ui/table.tsx";

const SORTS = ["submitted", "pending", "running", "failed", "refused"] as const;
type Sort = (typeof SORTS)[number];

interface TenantRow {
  readonly tenant: Tenant;
  readonly submitted: number | null;
  readonly trend: readonly (number | null)[];
  readonly completed: number | null;
  readonly failed: number | null;
  readonly refused: number | null;
  readonly isAtLimit: boolean;
}

/** Who submits most, whose jobs wait, and whose limits hold them back. */
export function TenantsPage() {
  const may = useMay();
  const [params, change] = useQueryState();
  const sort = SORTS.find((each) => each === params.get("sort")) ?? "submitted";
  const named = params.get("tenant");
  const [edited, setEdited] = useState<Tenant>();
  const tenants = useLiveQuery<Tenant[]>({
    key: ["tenants"],
    load: (client, signal) => client.tenants({ signal }),
    everyMs: 5_000,
  });
  const history = useHistory(60);
  return (
    <Page
      title="Tenants"
      about="Rates are those of the last minute, for the busiest tenants. Choose a column to sort by it."
    >
      <Loaded query={tenants}>
        {(all) =>
          all.length === 0 ? (
            <section className="panel">
              <Empty title="No tenant yet.">A tenant appears with its first job, or when you limit it.</Empty>
            </section>
          ) : (
            <>
              {named !== null && all.some(({ tenant }) => tenant === named) && (
                <FiguresOf
                  title={`Tenant ${named}`}
                  history={history.data}
                  minutes={60}
                  tenant={named}
                  onClose={() => change({ tenant: undefined })}
                />
              )}
              <section className="panel" aria-label="Tenants">
                <Table
                  columns={columnsOf(may("root") ? setEdited : undefined)}
                  rows={sorted(rowsOf(all, history.data?.points ?? []), sort)}
                  keyOf={({ tenant }) => tenant.tenant}
                  sort={{ by: sort, onSort: (next) => change({ sort: next === "submitted" ? undefined : next }) }}
                />
              </section>
            </>
          )
        }
      </Loaded>
      {edited && <TenantDialog tenant={edited} onClose={() => setEdited(undefined)} />}
    </Page>
  );
}

function rowsOf(tenants: readonly Tenant[], points: readonly FigurePoint[]): TenantRow[] {
  return tenants.map((tenant) => {
    const rate = (name: "submitted" | "completed" | "failed" | "refused") =>
      lastMinute(points, (point) => point.perTenant[tenant.tenant]?.[name]);
    const { concurrency = 0 } = tenant.limits ?? {};
    return {
      tenant,
      submitted: rate("submitted"),
      trend: ratePerMinute(points, (point) => point.perTenant[tenant.tenant]?.submitted),
      completed: rate("completed"),
      failed: rate("failed"),
      refused: rate("refused"),
      isAtLimit: (concurrency > 0 && tenant.running >= concurrency) || (rate("refused") ?? 0) > 0,
    };
  });
}

function sorted(rows: readonly TenantRow[], sort: Sort): TenantRow[] {
  const by = (row: TenantRow) => (sort === "pending" || sort === "running" ? row.tenant[sort] : (row[sort] ?? 0));
  return rows.toSorted((a, b) => by(b) - by(a) || b.tenant.pending - a.tenant.pending);
}

function columnsOf(onEdit: ((tenant: Tenant) => void) | undefined): Column<TenantRow>[] {
  return [
    {
      title: "Tenant",
      wide: true,
      value: ({ tenant: { tenant }, isAtLimit }) => (
        <>
          <Link to={`/tenants?tenant=${encodeURIComponent(tenant)}`}>{tenant}</Link>{" "}
          {isAtLimit && <Badge tone="care">at its limit</Badge>}
        </>
      ),
    },
    {
      title: "Submitted / min",
      sort: "submitted",
      quiet: true,
      label: "submitted a minute",
      value: ({ submitted, trend, tenant: { tenant } }) => (
        <span className="stage-rate">
          <Spark values={trend} label={`Submitted per minute by ${tenant}`} />
          {shown(submitted)}
        </span>
      ),
    },
    {
      title: "Running",
      sort: "running",
      quiet: true,
      label: "running",
      value: ({ tenant: { running, limits } }) =>
        limits?.concurrency ? `${count(running)} of ${count(limits.concurrency)}` : count(running),
    },
    {
      title: "Pending",
      sort: "pending",
      quiet: true,
      label: "pending",
      value: ({ tenant: { tenant, pending } }) => (
        <Link to={`/jobs?status=pending&tenant=${encodeURIComponent(tenant)}`}>{count(pending)}</Link>
      ),
    },
    { title: "Completed / min", quiet: true, label: "completed a minute", value: ({ completed }) => shown(completed) },
    { title: "Failed / min", sort: "failed", quiet: true, label: "failed", value: ({ failed }) => shown(failed) },
    { title: "Refused / min", sort: "refused", quiet: true, label: "refused", value: ({ refused }) => shown(refused) },
    ...(onEdit
      ? [
          {
            title: "Limits",
            value: ({ tenant }: TenantRow) => (
              <Button
                className="small"
                onClick={() => onEdit(tenant)}
                aria-label={`Edit the limits of ${tenant.tenant}`}
              >
                Edit…
              </Button>
            ),
          },
        ]
      : []),
  ];
}

function shown(rate: number | null): string {
  return rate === null ? "–" : compact(rate);
}
