import type { Job } from "../../src/client/index.ts";
import { CopyButton, Json } from "../ui/json.tsx";
import { Link } from "../ui/link.tsx";
import { Panel } from "../ui/page.tsx";

/** A diagram as a picture, a report opened in place, all else as text. */
export function Result({ job }: { job: Job }) {
  if (job.state !== "completed" || job.result === undefined) return null;
  const picture = pictureOf(job);
  if (picture) {
    return (
      <Panel
        title="Result"
        aside={
          <>
            <a href={picture} target="_blank" rel="noreferrer">
              Open
            </a>
            <CopyButton text={new URL(picture, window.location.href).href} what="Link to the diagram">
              Copy link
            </CopyButton>
          </>
        }
      >
        <div className="picture">
          <img src={picture} alt={`Diagram of ${job.jobId}`} />
        </div>
      </Panel>
    );
  }
  return (
    <Panel
      title="Result"
      aside={job.kind === "site" && <Link to={`/sites/${job.jobId}`}>Open the site and its report</Link>}
    >
      <Json value={job.result} label="Result" />
    </Panel>
  );
}

/** Only addresses of ours, and only of the shape of a short link. */
function pictureOf({ kind, result }: Job): string | undefined {
  if (kind !== "render" || typeof result !== "object" || result === null || !("url" in result)) return undefined;
  return typeof result.url === "string" && /^\/d\/[\w.-]+$/.test(result.url) ? result.url : undefined;
}
