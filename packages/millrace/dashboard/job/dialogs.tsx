import { useState } from "react";
import type { Job } from "../../src/client/index.ts";
import { useAct } from "../lib/data.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Check, Input, Segments, TextArea } from "../ui/field.tsx";
import { sourceOf } from "../ui/json.tsx";

interface Props {
  readonly job: Job;
  readonly onClose: () => void;
}

export function CancelDialog({ job, onClose }: Props) {
  const [reason, setReason] = useState("");
  const cancel = useAct({
    run: (client) => client.cancel(job.jobId, reason.trim() ? { reason: reason.trim() } : {}),
    done: () => `${job.jobId} is cancelled.`,
    after: onClose,
  });
  return (
    <Dialog
      error={cancel.error}
      title={`Cancel ${job.jobId}?`}
      onClose={onClose}
      actions={
        <Button look="danger" busy={cancel.isPending} onClick={() => cancel.mutate()}>
          Cancel the job
        </Button>
      }
    >
      <p>
        {job.inProgress
          ? "Its processor is told to stop; what it did so far in steps is kept."
          : "It will not be started."}{" "}
        Cancelled is final, but it can be retried as a new job.
      </p>
      <Input
        label="Reason"
        hint="Kept with the job; may be left out."
        maxLength={500}
        value={reason}
        onChange={(event) => setReason(event.target.value)}
      />
    </Dialog>
  );
}

export function RetryDialog({ job, onClose, onRevived }: Props & { onRevived: (jobId: string) => void }) {
  const [from, setFrom] = useState<"failed-stage" | "start">("failed-stage");
  const [edits, setEdits] = useState(false);
  const [text, setText] = useState(() => sourceOf(job.payload));
  const problem = edits ? problemOf(text) : undefined;
  const retry = useAct<void, Job>({
    run: (client) => client.retry(job.jobId, { from, ...(edits && { payload: JSON.parse(text) }) }),
    done: (revived) => `Its work goes on as ${revived.jobId}.`,
    after: (revived) => {
      onClose();
      onRevived(revived.jobId);
    },
  });
  return (
    <Dialog
      error={retry.error}
      title={`Put the work of ${job.jobId} back?`}
      onClose={onClose}
      actions={
        <Button look="primary" busy={retry.isPending} disabled={problem !== undefined} onClick={() => retry.mutate()}>
          Revive
        </Button>
      }
    >
      <p>A new job with no attempts behind it takes its place; this one stays as it is and names the new one.</p>
      <Segments
        label="Where to start"
        value={from}
        onChange={setFrom}
        options={[
          ["failed-stage", `At the stage ${job.stage}`],
          ["start", "From the start"],
        ]}
      />
      <Check label="Edit the payload first" checked={edits} onChange={(event) => setEdits(event.target.checked)} />
      {edits && (
        <TextArea
          label="Payload"
          rows={8}
          value={text}
          error={problem}
          onChange={(event) => setText(event.target.value)}
        />
      )}
    </Dialog>
  );
}

export function ForgetDialog({ job, onClose, onForgotten }: Props & { onForgotten: () => void }) {
  const forget = useAct({
    run: (client) => client.forget(job.jobId),
    done: () => `${job.jobId} is deleted.`,
    after: () => {
      onClose();
      onForgotten();
    },
  });
  return (
    <Dialog
      error={forget.error}
      title={`Delete ${job.jobId}?`}
      onClose={onClose}
      actions={
        <Button look="danger" busy={forget.isPending} onClick={() => forget.mutate()}>
          Delete
        </Button>
      }
    >
      <p>The job, its attempts, steps, logs and result are deleted. This cannot be undone.</p>
    </Dialog>
  );
}

export function problemOf(text: string): string | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    return error instanceof Error ? `Not JSON: ${error.message}` : "Not JSON.";
  }
}
