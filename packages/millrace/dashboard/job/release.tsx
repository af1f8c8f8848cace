import { useState } from "react";
import type { Job } from "../../src/client/index.ts";
import { useAct } from "../lib/data.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { TextArea } from "../ui/field.tsx";
import { problemOf } from "./dialogs.tsx";

/** Ends a hold, with an answer for the processor if the person gives one. */
export function ReleaseDialog({ job, onClose }: { job: Job; onClose: () => void }) {
  const [text, setText] = useState("");
  const hasAnswer = text.trim() !== "";
  const problem = hasAnswer ? problemOf(text) : undefined;
  const release = useAct({
    run: (client) => client.release(job.jobId, hasAnswer ? { answer: JSON.parse(text) } : {}),
    done: () => `${job.jobId} is released.`,
    after: onClose,
  });
  return (
    <Dialog
      error={release.error}
      title={`Release ${job.jobId}?`}
      onClose={onClose}
      actions={
        <Button
          look="primary"
          busy={release.isPending}
          disabled={problem !== undefined}
          onClick={() => release.mutate()}
        >
          Release
        </Button>
      }
    >
      <p>On hold: {job.heldFor}</p>
      <TextArea
        label="Answer"
        hint="Optional, as JSON. The processor reads it with ctx.answers()."
        rows={5}
        value={text}
        error={problem}
        onChange={(event) => setText(event.target.value)}
      />
    </Dialog>
  );
}
