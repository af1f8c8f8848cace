import type { Job } from "millrace/client";
import { addressOf, CopyButton, JobResult, Link, Panel } from "millrace/dashboard";

/** The drawing of a job, in the place of its result. */
export function JobDrawing({ job }: { job: Job }) {
  const picture = pictureOf(job);
  if (!picture) return <JobResult job={job} />;
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

/** Only addresses of this server, and only of the shape of a short link. */
function pictureOf({ result }: Job): string | undefined {
  if (typeof result !== "object" || result === null || !("url" in result)) return undefined;
  return typeof result.url === "string" && /^\/d\/[\w.-]+$/.test(result.url) ? addressOf(result.url) : undefined;
}

export function EditorNote() {
  return (
    <p className="dim">
      The{" "}
      <Link to="/diagrams" className="text-link">
        editor
      </Link>{" "}
      shows the drawing while you type.
    </p>
  );
}
