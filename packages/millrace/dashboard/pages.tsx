import { type ReactNode, Suspense } from "react";
import { DeadLettersPage } from "./dead-letters/page.tsx";
import { JobPage } from "./job/page.tsx";
import { JobsPage } from "./jobs/page.tsx";
import { lazyPage } from "./lib/lazy-page.ts";
import { OverviewPage } from "./overview/page.tsx";
import { PoolsPage } from "./pools/page.tsx";
import { OfAdmin } from "./session/of-admin.tsx";
import { Boundary } from "./ui/boundary.tsx";
import { Link } from "./ui/link.tsx";
import { Empty, Loading, Page } from "./ui/page.tsx";
import { WorkloadPage } from "./workloads/page.tsx";

// What not everybody opens first comes when it is opened.
const SubmitPage = lazyPage(async () => (await import("./submit/page.tsx")).SubmitPage);
const SchedulesPage = lazyPage(async () => (await import("./schedules/page.tsx")).SchedulesPage);
const DeploymentsPage = lazyPage(async () => (await import("./deployments/page.tsx")).DeploymentsPage);
const LimitsPage = lazyPage(async () => (await import("./limits/page.tsx")).LimitsPage);
const ApprovalsPage = lazyPage(async () => (await import("./approvals/page.tsx")).ApprovalsPage);
const BatchesPage = lazyPage(async () => (await import("./batches/page.tsx")).BatchesPage);
const BatchPage = lazyPage(async () => (await import("./batches/one.tsx")).BatchPage);
const StagesPage = lazyPage(async () => (await import("./stages/page.tsx")).StagesPage);
const TenantsPage = lazyPage(async () => (await import("./tenants/page.tsx")).TenantsPage);
const ProcessesPage = lazyPage(async () => (await import("./processes/page.tsx")).ProcessesPage);
const OperationsPage = lazyPage(async () => (await import("./operations/page.tsx")).OperationsPage);
const SettingsPage = lazyPage(async () => (await import("./settings/page.tsx")).SettingsPage);

type Draw = (id: string) => ReactNode;

const PAGES: readonly (readonly [RegExp, Draw])[] = [
  [/^\/$/, () => <OverviewPage />],
  [/^\/submit$/, () => <SubmitPage />],
  [/^\/jobs$/, () => <JobsPage />],
  [/^\/jobs\/([^/]+)$/, (id) => <JobPage key={id} jobId={id} />],
  [/^\/approvals$/, () => <ApprovalsPage />],
  [/^\/batches$/, () => <BatchesPage />],
  [/^\/batches\/([^/]+)$/, (id) => <BatchPage key={id} batchId={id} />],
  [/^\/operations$/, () => <OperationsPage />],
  [/^\/dead-letters$/, () => <DeadLettersPage />],
  [
    /^\/stages$/,
    () => (
      <OfAdmin title="Stages" scope="root">
        <StagesPage />
      </OfAdmin>
    ),
  ],
  [
    /^\/tenants$/,
    () => (
      <OfAdmin title="Tenants">
        <TenantsPage />
      </OfAdmin>
    ),
  ],
  [
    /^\/processes$/,
    () => (
      <OfAdmin title="Processes" scope="root">
        <ProcessesPage />
      </OfAdmin>
    ),
  ],
  [
    /^\/pools$/,
    () => (
      <OfAdmin title="Pools" scope="root">
        <PoolsPage />
      </OfAdmin>
    ),
  ],
  [
    /^\/deployments$/,
    () => (
      <OfAdmin title="Deployments" scope="root">
        <DeploymentsPage />
      </OfAdmin>
    ),
  ],
  [
    /^\/limits$/,
    () => (
      <OfAdmin title="Limits" scope="root">
        <LimitsPage />
      </OfAdmin>
    ),
  ],
  [
    /^\/schedules$/,
    () => (
      <OfAdmin title="Schedules">
        <SchedulesPage />
      </OfAdmin>
    ),
  ],
  [
    /^\/settings$/,
    () => (
      <OfAdmin title="Settings">
        <SettingsPage />
      </OfAdmin>
    ),
  ],
];

export function pageAt(path: string): ReactNode {
  return (
    <Boundary key={path}>
      <Suspense fallback={<Loading />}>{drawnAt(path)}</Suspense>
    </Boundary>
  );
}

function drawnAt(path: string): ReactNode {
  for (const [pattern, draw] of PAGES) {
    const found = pattern.exec(path);
    if (found) return draw(found[1] ?? "");
  }
  return <WorkloadPage path={path} otherwise={<NoSuchPage />} />;
}

function NoSuchPage() {
  return (
    <Page title="Nothing here">
      <Empty title="Page not found.">
        <Link to="/" className="text-link">
          Go to the overview
        </Link>
      </Empty>
    </Page>
  );
}
