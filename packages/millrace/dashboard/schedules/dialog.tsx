import { type FormEvent, useId, useState } from "react";
import type { Schedule } from "../../src/client/index.ts";
import { problemOf } from "../job/dialogs.tsx";
import { useAct, useSurroundings } from "../lib/data.ts";
import { useKinds } from "../lib/facts.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Input, Select, TextArea } from "../ui/field.tsx";
import { sourceOf } from "../ui/json.tsx";
import { NextRuns } from "./preview.tsx";

interface Props {
  readonly schedule: Schedule | undefined;
  readonly onClose: () => void;
}

export function ScheduleDialog({ schedule, onClose }: Props) {
  const form = useId();
  const { session } = useSurroundings();
  const kinds = useKinds().data ?? [];
  const [name, setName] = useState(schedule?.name ?? "");
  const [cron, setCron] = useState(schedule?.cron ?? "30 6 * * 1");
  const [timeZone, setTimeZone] = useState(schedule?.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone);
  const [kind, setKind] = useState(schedule?.kind ?? "");
  // One with an example: its payload is accepted as it stands.
  const first = kinds.find(({ examples = [] }) => examples.length > 0) ?? kinds[0];
  const chosen = kind || (first?.kind ?? "");
  const [text, setText] = useState(schedule && sourceOf(schedule.payload));
  const example = sourceOf(kinds.find((each) => each.kind === chosen)?.examples?.[0] ?? {});
  const payload = text ?? example;
  const [tenant, setTenant] = useState(schedule?.tenant ?? "");
  const [overlap, setOverlap] = useState<Schedule["overlap"]>(schedule?.overlap ?? "skip");
  const [missed, setMissed] = useState<Schedule["missed"]>(schedule?.missed ?? "once");
  const problem = problemOf(payload);
  const put = useAct<void, Schedule>({
    run: (client) =>
      client.schedules.put(name.trim(), {
        cron,
        timeZone,
        kind: chosen,
        payload: JSON.parse(payload),
        overlap,
        missed,
        ...(tenant.trim() && { tenant: tenant.trim() }),
        ...(schedule?.priority !== undefined && { priority: schedule.priority }),
        ...(schedule?.tags && { tags: schedule.tags }),
        ...(schedule && { paused: schedule.paused }),
      }),
    done: (saved) => `${saved.name} is saved.`,
    after: onClose,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (problem === undefined) put.mutate();
  };
  const onText = (set: (value: string) => void) => (event: { target: { value: string } }) => set(event.target.value);
  return (
    <Dialog
      error={put.error}
      title={schedule ? `Edit ${schedule.name}` : "New schedule"}
      onClose={onClose}
      actions={
        <Button look="primary" submits form={form} busy={put.isPending}>
          Save
        </Button>
      }
    >
      <form id={form} className="schedule-form" onSubmit={submit}>
        <Input
          label="Name"
          required
          maxLength={255}
          disabled={schedule !== undefined}
          value={name}
          onChange={onText(setName)}
        />
        <div className="two">
          <Input
            label="Cron"
            required
            maxLength={100}
            hint="Minute, hour, day, month, weekday."
            value={cron}
            onChange={onText(setCron)}
          />
          <Input label="Time zone" required maxLength={64} value={timeZone} onChange={onText(setTimeZone)} />
        </div>
        <NextRuns cron={cron} timeZone={timeZone} />
        <div className="two">
          <Select
            label="Kind"
            value={chosen}
            onChange={onText(setKind)}
            options={kinds.map((each) => [each.kind, each.kind] as const)}
          />
          {session.allTenants && (
            <Input label="Tenant" placeholder="default" maxLength={64} value={tenant} onChange={onText(setTenant)} />
          )}
        </div>
        <TextArea label="Payload" rows={4} value={payload} error={problem} onChange={onText(setText)} />
        <div className="two">
          <Select
            label="While the previous job runs"
            value={overlap}
            onChange={(event) => setOverlap(event.target.value as Schedule["overlap"])}
            options={[
              ["skip", "skip the run"],
              ["allow", "submit anyway"],
            ]}
          />
          <Select
            label="Missed runs"
            value={missed}
            onChange={(event) => setMissed(event.target.value as Schedule["missed"])}
            options={[
              ["once", "run once"],
              ["skip", "skip"],
            ]}
          />
        </div>
      </form>
    </Dialog>
  );
}
