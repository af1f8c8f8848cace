import type { ArtifactInfo, Job } from "../../src/client/index.ts";
import { useLiveQuery, useSurroundings } from "../lib/data.ts";
import { bytes } from "../lib/format.ts";
import type { Moves } from "../lib/live.ts";
import { API_BASE } from "../lib/mount.ts";
import { Panel } from "../ui/page.tsx";
import { SomeFirst } from "../ui/some-first.tsx";

interface Props {
  readonly job: Job;
  readonly concerns: (moves: Moves) => boolean;
}

/** What the job kept with `ctx.artifact`. Browsers show images, plain text and JSON, and save everything else. */
export function Artifacts({ job, concerns }: Props) {
  const { session } = useSurroundings();
  const { jobId, tenant, inProgress } = job;
  const artifacts = useLiveQuery<ArtifactInfo[]>({
    key: ["job", jobId, "artifacts"],
    concerns,
    everyMs: inProgress ? 2_000 : 15_000,
    load: (client, signal) => client.artifacts(jobId, { signal }),
  });
  if (!artifacts.data || artifacts.data.length === 0) return null;
  // Links carry no header, so an administrator's address names the tenant.
  const whose = session.tenant === tenant ? "" : `?tenant=${encodeURIComponent(tenant)}`;
  return (
    <Panel title="Artifacts">
      <SomeFirst items={artifacts.data} most={12}>
        {(shown) => (
          <ul className="steps">
            {shown.map(({ name, contentType, size }) => (
              <li key={name} className="artifact">
                <a
                  className="text-link artifact-name"
                  href={`${API_BASE}/jobs/${jobId}/artifacts/${encodeURIComponent(name)}${whose}`}
                  target="_blank"
                  rel="noreferrer"
                >
                  {name}
                </a>
                <span className="dim">{contentType}</span>
                <span className="dim number">{bytes(size)}</span>
              </li>
            ))}
          </ul>
        )}
      </SomeFirst>
    </Panel>
  );
}
