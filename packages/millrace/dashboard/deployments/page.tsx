import { canUnpin, type DeploymentState, deploymentState } from "../../src/client/deployment-state.ts";
import type { Deployment } from "../../src/client/index.ts";
import { useAct, useLiveQuery } from "../lib/data.ts";
import { count } from "../lib/format.ts";
import { Button } from "../ui/button.tsx";
import { Empty, Loaded, Page } from "../ui/page.tsx";
import { Badge } from "../ui/status.tsx";
import "./deployments.css";

export function DeploymentsPage() {
  const deployments = useLiveQuery<Deployment[]>({
    key: ["deployments"],
    load: (client, signal) => client.deployments({ signal }),
  });
  return (
    <Page
      title="Deployments"
      about="The versions of your application, newest first. You can stop the processes of a drained deployment: no job needs them."
    >
      <Loaded query={deployments}>
        {(all) =>
          all.length === 0 ? (
            <section className="panel">
              <Empty title="No deployment yet.">A deployment appears when its first worker starts.</Empty>
            </section>
          ) : (
            <section className="panel table-scroll">
              <table className="table deployments">
                <thead>
                  <tr>
                    <th scope="col">Label</th>
                    <th scope="col" className="number">
                      Number
                    </th>
                    <th scope="col">State</th>
                    <th scope="col">Kinds and their stages</th>
                    <th scope="col">Processes</th>
                    <th scope="col" className="number">
                      Pending
                    </th>
                    <th scope="col" className="number">
                      Running
                    </th>
                    <th scope="col">
                      <span className="visually-hidden">Actions</span>
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {all.map((deployment) => (
                    <Row key={deployment.label} deployment={deployment} state={deploymentState(deployment, all)} />
                  ))}
                </tbody>
              </table>
            </section>
          )
        }
      </Loaded>
    </Page>
  );
}

const TONES = { working: "running", idle: "good", drained: "good", stranded: "bad" } as const;

function Row({ deployment, state }: { deployment: Deployment; state: DeploymentState }) {
  const { label, number, plans, processes, jobs } = deployment;
  const unpin = useAct({
    run: (client) => client.unpin(label),
    done: () => `The pinned jobs of ${label} were handed to the newest deployment.`,
  });
  return (
    <tr>
      <th scope="row">
        <code>{label}</code>
      </th>
      <td className="number" data-label="number">
        {number ?? "–"}
      </td>
      <td>
        <Badge tone={TONES[state]}>{state}</Badge>
      </td>
      <td className="wide">
        <ul className="plans">
          {plans.map(({ kind, stages }) => (
            <li key={`${kind} ${stages.join(" ")}`}>
              {kind} <span className="dim">{stages.join(" → ")}</span>
            </li>
          ))}
        </ul>
      </td>
      <td data-label="processes">
        {processes.length === 0 ? <span className="dim">none</span> : processes.join(", ")}
      </td>
      <td className="number" data-label="pending">
        {count(jobs.pending)}
      </td>
      <td className="number" data-label="running">
        {count(jobs.running)}
      </td>
      <td>
        {canUnpin(deployment) && (
          <Button onClick={() => unpin.mutate()} title="Hand its pinned jobs to the newest deployment">
            Unpin
          </Button>
        )}
      </td>
    </tr>
  );
}
