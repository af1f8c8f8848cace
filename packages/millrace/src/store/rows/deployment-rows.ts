// Deployments with their plans and workers, as both stores read them.

import type { DeploymentFacts } from "../verbs/processes.ts";

export interface NamedDeploymentRow {
  id: number;
  label: string;
  number: number | null;
}

/** `stages` is JSON. */
export interface DeployedPlanRow {
  deployment: number;
  kind: string;
  stages: string;
}

type Worker = DeploymentFacts["workers"][number];

/** `serves` is JSON. SQLite has numbers for truth. */
export type DeployedWorkerRow = Omit<Worker, "serves" | "draining"> & { serves: string; draining: boolean | number };

export function deploymentsOf(
  rows: readonly NamedDeploymentRow[],
  plans: readonly DeployedPlanRow[],
): DeploymentFacts["deployments"] {
  return rows.map(({ id, label, number }) => ({
    id,
    label,
    ...(number !== null && { number }),
    plans: plans
      .filter(({ deployment }) => deployment === id)
      .map(({ kind, stages }) => ({ kind, stages: JSON.parse(stages) as string[] })),
  }));
}

export function workerOf(row: DeployedWorkerRow): Worker {
  return { ...row, draining: Boolean(row.draining), serves: JSON.parse(row.serves) };
}
