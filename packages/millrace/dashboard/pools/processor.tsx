import type { ProcessorInfo } from "../../src/client/index.ts";
import { Link } from "../ui/link.tsx";
import { Lasting, Left } from "../ui/time.tsx";

export function ProcessorTile({ processor }: { processor: ProcessorInfo }) {
  const { slot, state, jobId, since, deadline, reason, tenant } = processor;
  return (
    <li className={`processor ${state}`}>
      <p className="processor-head">
        <span className="processor-state">{state}</span>
        <span className="dim number">{slot}</span>
      </p>
      {state === "idle" && <p className="dim processor-rest">idle</p>}
      {state === "busy" && (
        <>
          <p>
            {jobId ? (
              <Link to={`/jobs/${jobId}`} className="mono" title={tenant && `tenant ${tenant}`}>
                {jobId}
              </Link>
            ) : (
              <span className="dim">a job of another tenant</span>
            )}
          </p>
          <p className="dim number">
            {since && <Lasting from={since} />}
            {deadline && (
              <>
                , <Left until={deadline} />
              </>
            )}
          </p>
        </>
      )}
      {state === "error" && (
        <>
          <p>{reason}</p>
          {jobId && (
            <Link to={`/jobs/${jobId}`} className="mono">
              {jobId}
            </Link>
          )}
        </>
      )}
    </li>
  );
}
