// Parts that workloads bring to the engine's own pages, by the kind of a job.

import { type ComponentType, type ReactNode, Suspense, use } from "react";
import type { Job } from "../../src/client/index.ts";
import { Result } from "../job/result.tsx";
import { Boundary } from "../ui/boundary.tsx";
import { loadPages, type WorkloadWithPages } from "./module.ts";
import { sourceOf } from "./page.tsx";
import { useWorkloadOfKind } from "./use-workloads.ts";

/** The result as its workload shows it; else as JSON. */
export function ResultOfKind({ job }: { readonly job: Job }) {
  const workload = useWorkloadOfKind(job.kind);
  if (workload === undefined || job.state !== "completed") return null;
  if (workload === null) return <Result job={job} />;
  const own = <Result job={job} />;
  return (
    <Part workload={workload} otherwise={own}>
      <Chosen workload={workload} part={({ results }) => results?.[job.kind]} props={{ job }} otherwise={own} />
    </Part>
  );
}

/** What a workload says above the form for one of its kinds. */
export function NoteOfKind({ kind }: { readonly kind: string }) {
  const workload = useWorkloadOfKind(kind);
  if (!workload) return null;
  return (
    <Part workload={workload} otherwise={null}>
      <Chosen workload={workload} part={({ notes }) => notes?.[kind]} props={{}} otherwise={null} />
    </Part>
  );
}

interface PartProps {
  readonly workload: WorkloadWithPages;
  /** Beneath the error, if the module fails. */
  readonly otherwise: ReactNode;
  readonly children: ReactNode;
}

function Part({ workload, otherwise, children }: PartProps) {
  return (
    <Boundary from={sourceOf(workload)} otherwise={otherwise}>
      <Suspense fallback={null}>{children}</Suspense>
    </Boundary>
  );
}

interface ChosenProps<P extends object> {
  readonly workload: WorkloadWithPages;
  readonly part: (pages: Awaited<ReturnType<typeof loadPages>>) => ComponentType<P> | undefined;
  readonly props: P;
  readonly otherwise: ReactNode;
}

function Chosen<P extends object>({ workload, part, props, otherwise }: ChosenProps<P>) {
  const Found = part(use(loadPages(workload)));
  return Found ? <Found {...props} /> : otherwise;
}
