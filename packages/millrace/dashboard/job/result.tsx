import type { ReactNode } from "react";
import type { Job } from "../../src/client/index.ts";
import { Json } from "../ui/json.tsx";
import { Panel } from "../ui/page.tsx";

interface Props {
  readonly job: Job;
  readonly aside?: ReactNode;
}

/** The result of a completed job as JSON. */
export function Result({ job, aside }: Props) {
  if (job.state !== "completed" || job.result === undefined) return null;
  return (
    <Panel title="Result" aside={aside}>
      <Json value={job.result} label="Result" />
    </Panel>
  );
}
