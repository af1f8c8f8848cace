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

// What not everybody opens first comes when it is opened.
const SubmitPage = lazyPage(async () => (await import("./submit/page.tsx")).SubmitPage);
const SchedulesPage = lazyPage(async () => (await import("./schedules/page.tsx")).SchedulesPage);
const DeploymentsPage = lazyPage(async () => (await import("./deployments/page.tsx")).DeploymentsPage);
const SettingsPage = lazyPage(async () => (await import("./settings/page.tsx")).SettingsPage);
const DiagramsPage = lazyPage(async () => (await import("./diagrams/page.tsx")).DiagramsPage);
const SitesPage = lazyPage(async () => (await import("./sites/page.tsx")).SitesPage);
const SitePage = lazyPage(async () => (await import("./sites/site.tsx")).SitePage);

type Draw = (id: string) => ReactNode;

const PAGES: readonly (readonly [RegExp, Draw])[] = [
  [/^\/$/, () => <OverviewPage />],
  [/^\/submit$/, () => <SubmitPage />],
  [/^\/jobs$/, () => <JobsPage />],
  [/^\/jobs\/([^/]+)$/, (id) => <JobPage key={id} jobId={id} />],
  [/^\/dead-letters$/, () => <DeadLettersPage />],
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
  [/^\/diagrams$/, () => <DiagramsPage />],
  [/^\/sites$/, () => <SitesPage />],
  [/^\/sites\/([^/]+)$/, (id) => <SitePage key={id} id={id} />],
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
  for (const [pattern, draw] of PAGES) {
    const found = pattern.exec(path);
    if (!found) continue;
    return (
      <Boundary key={path}>
        <Suspense fallback={<Loading />}>{draw(found[1] ?? "")}</Suspense>
      </Boundary>
    );
  }
  return (
    <Page title="Nothing here">
      <Empty title="There is no such page.">
        <Link to="/" className="text-link">
          Go to the overview
        </Link>
      </Empty>
    </Page>
  );
}
