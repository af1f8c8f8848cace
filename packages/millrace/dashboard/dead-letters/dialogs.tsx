import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { DeadLetterFilter, OperationInfo, OperationRequest } from "../../src/client/index.ts";
import { sentenceOf, useAct, useClient } from "../lib/data.ts";
import { duration, plural, count as written } from "../lib/format.ts";
import { watchOperation } from "../operations/watched.ts";
import { startedWords } from "../operations/words.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Input, Segments } from "../ui/field.tsx";

/** Which ones: by ids, or by filter. */
export interface Targets {
  readonly about: string;
  readonly ids?: readonly string[];
  readonly filter?: DeadLetterFilter;
  readonly count: number;
  readonly error?: string;
}

interface Props {
  readonly targets: Targets;
  readonly onClose: () => void;
}

export function ReviveDialog({ targets, onClose }: Props) {
  const client = useClient();
  const [from, setFrom] = useState<"failed-stage" | "start">("failed-stage");
  const [rate, setRate] = useState("");
  const perSecond = rate.trim() === "" ? undefined : Number(rate.replace(",", "."));
  const problem =
    perSecond === undefined || (perSecond >= 0.01 && perSecond <= 10_000) ? undefined : "A number from 0.01 to 10,000.";
  const request = { ...chosen("revive", targets), from, ...(perSecond !== undefined && { perSecond }) };
  const counted = useQuery({
    queryKey: ["count", "revive", targets],
    queryFn: () => client.operations.start({ ...chosen("revive", targets), dryRun: true }),
    staleTime: 0,
    gcTime: 0,
  });
  const revive = useAct<void, OperationInfo>({
    run: (own) => own.operations.start(request),
    done: startedWords,
    after: (operation) => {
      watchOperation(operation);
      onClose();
    },
  });
  const matched = counted.data?.total;
  return (
    <Dialog
      error={revive.error}
      title={`Revive ${matched === undefined ? targets.about : plural(matched, "dead letter")}?`}
      onClose={onClose}
      actions={
        <Button
          look="primary"
          busy={revive.isPending}
          disabled={!matched || problem !== undefined}
          onClick={() => revive.mutate()}
        >
          Revive {matched === undefined ? "" : written(matched)}
        </Button>
      }
    >
      {counted.error ? <p className="bad-ink">{sentenceOf(counted.error)}</p> : <Which targets={targets} />}
      <p className="dim">
        Creates a new job for each, with a fresh retry count, and removes the dead letter. Jobs that fail again become
        dead letters again.
      </p>
      <Segments
        label="Start"
        value={from}
        onChange={setFrom}
        options={[
          ["failed-stage", "at the stage that failed"],
          ["start", "at the first stage"],
        ]}
      />
      <Input
        label="At most per second"
        inputMode="decimal"
        placeholder="all at once"
        value={rate}
        error={problem}
        hint={
          perSecond && matched && !problem
            ? `The last one starts after ${duration((matched / perSecond) * 1_000)}.`
            : "Limits the rate, so that the services they call are not overloaded."
        }
        onChange={(event) => setRate(event.target.value)}
      />
    </Dialog>
  );
}

export function DiscardDialog({ targets, onClose }: Props) {
  const client = useClient();
  const counted = useQuery({
    queryKey: ["count", "discard", targets],
    queryFn: () => client.operations.start({ ...chosen("delete", targets), dryRun: true }),
    staleTime: 0,
    gcTime: 0,
  });
  const discard = useAct<void, OperationInfo>({
    run: (own) => own.operations.start(chosen("delete", targets)),
    done: startedWords,
    after: (operation) => {
      watchOperation(operation);
      onClose();
    },
  });
  const matched = counted.data?.total;
  return (
    <Dialog
      error={discard.error}
      title={`Discard ${matched === undefined ? targets.about : plural(matched, "dead letter")}?`}
      onClose={onClose}
      actions={
        <Button look="danger" busy={discard.isPending} disabled={!matched} onClick={() => discard.mutate()}>
          Discard {matched === undefined ? "" : written(matched)}
        </Button>
      }
    >
      {counted.error ? <p className="bad-ink">{sentenceOf(counted.error)}</p> : <Which targets={targets} />}
      <p>They are deleted with their attempts, steps and logs. This cannot be undone.</p>
    </Dialog>
  );
}

function Which({ targets: { about, error } }: { targets: Targets }) {
  return (
    <p>
      This affects {about}
      {error ? (
        <>
          : <span className="bad-ink">{error}</span>
        </>
      ) : (
        "."
      )}
    </p>
  );
}

/** Only dead letters: a deletion without a status would take every finished job. */
function chosen(action: "revive" | "delete", { ids, filter = {} }: Targets): OperationRequest {
  return ids ? { action, ids: [...ids] } : { action, filter: { ...filter, status: "dead-letter" } };
}
