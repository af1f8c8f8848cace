import { type ReactNode, use } from "react";
import { Boundary } from "../ui/boundary.tsx";
import { Loaded } from "../ui/page.tsx";
import { matched } from "./match.ts";
import { loadPages, nameOf, type WorkloadWithPages } from "./module.ts";
import { useWorkloads, workloadAt } from "./use-workloads.ts";

interface Props {
  readonly path: string;
  /** Where no workload has the page. */
  readonly otherwise: ReactNode;
}

/** A page that a workload brings; one that fails leaves the rest of the dashboard standing. */
export function WorkloadPage({ path, otherwise }: Props) {
  const workloads = useWorkloads();
  return (
    <Loaded query={workloads}>
      {(all) => {
        const workload = workloadAt(all, path);
        if (!workload) return otherwise;
        return (
          <Boundary from={sourceOf(workload)}>
            <PageOf workload={workload} path={path} otherwise={otherwise} />
          </Boundary>
        );
      }}
    </Loaded>
  );
}

export function sourceOf({ workload, pages }: WorkloadWithPages): string {
  return `page module ${nameOf(pages.module)} of the workload "${workload}"`;
}

function PageOf({ workload, path, otherwise }: Props & { readonly workload: WorkloadWithPages }) {
  const { pages = {} } = use(loadPages(workload));
  for (const [pattern, Page] of Object.entries(pages)) {
    const values = matched(pattern, path);
    if (values) return <Page key={path} {...values} />;
  }
  return otherwise;
}
