import { type FormEvent, useId, useState } from "react";
import type { Tenant, TenantLimits } from "../../src/client/index.ts";
import { useAct } from "../lib/data.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Input, Select } from "../ui/field.tsx";
import { unitsWith } from "./units.ts";

interface Props {
  /** Missing: the person names it. */
  readonly tenant: Tenant | undefined;
  readonly onClose: () => void;
}

const SETTING = "setting of the server";

export function TenantDialog({ tenant, onClose }: Props) {
  const form = useId();
  const { concurrency, rate, weight, queueMax, overflow } = tenant?.limits ?? {};
  const [name, setName] = useState(tenant?.tenant ?? "");
  const [atOnce, setAtOnce] = useState(textOf(concurrency));
  const [overflows, setOverflows] = useState<"" | "reject" | "queue">(overflow ?? "");
  const [perPeriod, setPerPeriod] = useState(textOf(rate?.count));
  const [perMs, setPerMs] = useState(String(rate?.perMs ?? 60_000));
  const [share, setShare] = useState(textOf(weight));
  const [queue, setQueue] = useState(textOf(queueMax));
  const limits: TenantLimits = {
    ...(atOnce !== "" && { concurrency: Number(atOnce) }),
    ...(overflows !== "" && { overflow: overflows }),
    ...(perPeriod !== "" && { rate: { count: Number(perPeriod), perMs: Number(perMs) } }),
    ...(share !== "" && { weight: Number(share) }),
    ...(queue !== "" && { queueMax: Number(queue) }),
  };
  const save = useAct<void, void>({
    run: async (client) => {
      if (Object.keys(limits).length > 0) await client.limits.setTenant(name.trim(), limits);
      else if (tenant?.limits) await client.limits.removeTenant(name);
    },
    done: () => `The limits of ${name.trim()} are saved.`,
    after: onClose,
  });
  const remove = useAct<void, void>({
    run: (client) => client.limits.removeTenant(name),
    done: () => `${name} has no limits of its own.`,
    after: onClose,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate();
  };
  return (
    <Dialog
      error={save.error ?? remove.error}
      title={tenant ? `Limits of ${tenant.tenant}` : "Limit a tenant"}
      onClose={onClose}
      actions={
        <>
          {tenant?.limits && (
            <Button look="danger" busy={remove.isPending} onClick={() => remove.mutate()}>
              Delete all
            </Button>
          )}
          <Button look="primary" submits form={form} busy={save.isPending}>
            Save
          </Button>
        </>
      }
    >
      <form id={form} className="limits-form" onSubmit={submit}>
        <p className="dim">An empty field means the setting of the server. 0 means no limit.</p>
        {!tenant && (
          <Input
            label="Tenant"
            required
            maxLength={64}
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
        )}
        <div className="two">
          <Input label="Jobs at once" {...WHOLE} value={atOnce} onChange={(event) => setAtOnce(event.target.value)} />
          <Select
            label="New jobs beyond that"
            value={overflows}
            onChange={(event) => setOverflows(event.target.value as typeof overflows)}
            options={[
              ["", SETTING],
              ["reject", "are refused"],
              ["queue", "wait"],
            ]}
          />
        </div>
        <div className="two">
          <Input label="New jobs" {...WHOLE} value={perPeriod} onChange={(event) => setPerPeriod(event.target.value)} />
          <Select
            label="In each"
            value={perMs}
            onChange={(event) => setPerMs(event.target.value)}
            options={unitsWith(perMs)}
          />
        </div>
        <div className="two">
          <Input
            label="Weight"
            type="number"
            min={0.01}
            max={100}
            step="any"
            placeholder="1"
            hint="With 3, a tenant gets three turns for each turn of another one."
            value={share}
            onChange={(event) => setShare(event.target.value)}
          />
          <Input
            label="Jobs in the queue of a stage"
            {...WHOLE}
            value={queue}
            onChange={(event) => setQueue(event.target.value)}
          />
        </div>
      </form>
    </Dialog>
  );
}

const WHOLE = { type: "number", min: 0, max: 1_000_000_000, step: 1, placeholder: SETTING } as const;

function textOf(value: number | undefined): string {
  return value === undefined ? "" : String(value);
}
