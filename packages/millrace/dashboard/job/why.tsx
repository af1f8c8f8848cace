import { useCallback } from "react";
import type { Explanation } from "../../src/client/index.ts";
import { useLiveQuery } from "../lib/data.ts";
import type { Moves } from "../lib/live.ts";

/** Why a pending job does not run. A job that is about to start says nothing. */
export function Why({ jobId }: { jobId: string }) {
  const concerns = useCallback((moves: Moves) => moves === undefined || moves.has(jobId), [jobId]);
  const { data } = useLiveQuery<Explanation>({
    key: ["job", jobId, "explain"],
    concerns,
    everyMs: 5_000,
    load: (client, signal) => client.explain(jobId, { signal }),
  });
  if (data?.state !== "pending" || data.reasons[0]?.code === "ready") return null;
  return (
    <ul className="job-why" aria-label="Why the job waits">
      {data.reasons.map(({ code, message }) => (
        <li key={code}>{message}</li>
      ))}
    </ul>
  );
}
