import { useState } from "react";
import type { Job, JobChange } from "../../src/client/index.ts";
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
        {job.inProgress ? "Its processor is asked to stop. Finished steps are kept." : "The job will not start."} You
        can retry a cancelled job as a new job.
      </p>
      <Input
        label="Reason"
        hint="Optional. It is stored with the job."
        maxLength={500}
        value={reason}
        onChange={(event) => setReason(event.target.value)}
      />
    </Dialog>
  );
}

/** Changes a pending job. What the form leaves as it is stays. */
export function ChangeDialog({ job, onClose }: Props) {
  const started = job.attempt > 0 || job.retriesTotal > 0 || job.crashes > 0;
  const [text, setText] = useState(() => sourceOf(job.payload));
  const [priority, setPriority] = useState(String(job.priority));
  const [runAt, setRunAt] = useState("");
  const [tags, setTags] = useState(job.tags.join(", "));
  const problem = problemOf(text);
  const isNumber = /^-?\d+$/.test(priority.trim());
  const labels = tags.split(",").flatMap((tag) => tag.trim() || []);
  const change: JobChange = {
    ...(problem === undefined && text !== sourceOf(job.payload) && { payload: JSON.parse(text) }),
    ...(isNumber && Number(priority) !== job.priority && { priority: Number(priority) }),
    ...(runAt !== "" && { runAt: new Date(runAt) }),
    ...(labels.join() !== job.tags.join() && { tags: labels }),
  };
  const update = useAct({
    run: (client) => client.update(job.jobId, change),
    done: () => `${job.jobId} is changed.`,
    after: onClose,
  });
  return (
    <Dialog
      error={update.error}
      title={`Change ${job.jobId}`}
      onClose={onClose}
      actions={
        <Button
          look="primary"
          busy={update.isPending}
          disabled={problem !== undefined || !isNumber || Object.keys(change).length === 0}
          onClick={() => update.mutate()}
        >
          Change
        </Button>
      }
    >
      {started ? (
        <p>The job has started before, so its payload cannot change.</p>
      ) : (
        <TextArea
          label="Payload"
          hint="It must give the job the same unique key."
          rows={8}
          value={text}
          error={problem}
          onChange={(event) => setText(event.target.value)}
        />
      )}
      <Input
        label="Start at"
        hint="Leave it empty to keep the time."
        type="datetime-local"
        value={runAt}
        onChange={(event) => setRunAt(event.target.value)}
      />
      <Input
        label="Priority"
        hint="Lower numbers run first."
        inputMode="numeric"
        value={priority}
        error={isNumber ? undefined : "A whole number."}
        onChange={(event) => setPriority(event.target.value)}
      />
      <Input label="Tags" hint="Separated by commas." value={tags} onChange={(event) => setTags(event.target.value)} />
    </Dialog>
  );
}

/** A value for a job that waits for it. */
export function SignalDialog({ job, onClose }: Props) {
  const waited = job.waitsFor?.find(({ type }) => type === "signal")?.name?.replace(/#\d+$/, "") ?? "";
  const [name, setName] = useState(waited);
  const [text, setText] = useState("null");
  const problem = problemOf(text);
  const send = useAct({
    run: (client) => client.signal(job.jobId, name, JSON.parse(text)),
    done: () => `The signal "${name}" is sent.`,
    after: onClose,
  });
  return (
    <Dialog
      error={send.error}
      title={`Send a signal to ${job.jobId}`}
      onClose={onClose}
      actions={
        <Button
          look="primary"
          busy={send.isPending}
          disabled={problem !== undefined || name.trim() === ""}
          onClick={() => send.mutate()}
        >
          Send
        </Button>
      }
    >
      <Input label="Name" value={name} maxLength={200} onChange={(event) => setName(event.target.value)} />
      <TextArea
        label="Value"
        hint="JSON. The job keeps it until a wait with this name takes it."
        rows={5}
        value={text}
        error={problem}
        onChange={(event) => setText(event.target.value)}
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
    done: (revived) => `Revived as ${revived.jobId}.`,
    after: (revived) => {
      onClose();
      onRevived(revived.jobId);
    },
  });
  return (
    <Dialog
      error={retry.error}
      title={`Revive ${job.jobId}?`}
      onClose={onClose}
      actions={
        <Button look="primary" busy={retry.isPending} disabled={problem !== undefined} onClick={() => retry.mutate()}>
          Revive
        </Button>
      }
    >
      <p>Creates a new job with a fresh retry count and links the two.</p>
      <Segments
        label="Start"
        value={from}
        onChange={setFrom}
        options={[
          ["failed-stage", `at the stage ${job.stage}`],
          ["start", "at the first stage"],
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
