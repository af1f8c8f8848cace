import { useState } from "react";
import type { PendingApproval } from "../../src/client/index.ts";
import { useAct, useMay } from "../lib/data.ts";
import { useApprovals } from "../lib/facts.ts";
import { Button } from "../ui/button.tsx";
import { Input } from "../ui/field.tsx";
import { Json } from "../ui/json.tsx";
import { Link } from "../ui/link.tsx";
import { Empty, Loaded, Page, Panel } from "../ui/page.tsx";
import { Ago } from "../ui/time.tsx";
import "./approvals.css";

/** The inbox: what jobs wait for people to decide. */
export function ApprovalsPage() {
  const approvals = useApprovals();
  return (
    <Page title="Approvals" about="Decisions that jobs wait for, oldest first. Only the first decision counts.">
      <Loaded query={approvals}>
        {(open) =>
          open.length === 0 ? (
            <section className="panel">
              <Empty title="No job waits for a decision.">
                A job asks with <code>ctx.waitForApproval()</code>.
              </Empty>
            </section>
          ) : (
            <div className="stack">
              {open.map((approval) => (
                <One key={approval.id} approval={approval} />
              ))}
            </div>
          )
        }
      </Loaded>
    </Page>
  );
}

function One({ approval }: { approval: PendingApproval }) {
  const { id, jobId, kind, tenant, title, details, choices, audience, since, until } = approval;
  const may = useMay();
  const [comment, setComment] = useState("");
  const decide = useAct<string, { choice: string; by: string }>({
    run: (client, choice) => client.decide(id, { choice, ...(comment.trim() && { comment: comment.trim() }) }),
    done: ({ choice }) => `Decided: ${choice}.`,
  });
  return (
    <Panel title={title} aside={<Ago at={since} />}>
      <div className="approval">
        <p className="dim approval-about">
          <Link to={`/jobs/${jobId}`} className="mono text-link">
            {jobId}
          </Link>
          <span>{kind}</span>
          <span>tenant {tenant}</span>
          {audience.length > 0 && <span>for {audience.join(", ")}</span>}
          {until !== undefined && (
            <span>
              gives up <Ago at={until} />
            </span>
          )}
        </p>
        {details !== undefined && details !== null && <Json value={details} label={`Details of ${title}`} />}
        {may("submit") && (
          <div className="approval-answer">
            <Input
              label="Comment"
              hint="Optional. It is stored with the job and in the audit list."
              maxLength={10_000}
              value={comment}
              onChange={(event) => setComment(event.target.value)}
            />
            <div className="actions">
              {choices.map((choice) => (
                <Button
                  key={choice}
                  busy={decide.isPending && decide.variables === choice}
                  disabled={decide.isPending}
                  onClick={() => decide.mutate(choice)}
                >
                  {choice}
                </Button>
              ))}
            </div>
          </div>
        )}
      </div>
    </Panel>
  );
}
