import { type FormEvent, useId, useState } from "react";
import type { Limiter } from "../../src/client/index.ts";
import { useAct } from "../lib/data.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Input, Select } from "../ui/field.tsx";
import { unitsWith } from "./units.ts";

export function LimiterDialog({ limiter, onClose }: { limiter: Limiter; onClose: () => void }) {
  const form = useId();
  const { name, rule, isSet, codeRule } = limiter;
  const [most, setMost] = useState(String(rule.count));
  const [perMs, setPerMs] = useState(String(rule.perMs));
  const [perDay, setPerDay] = useState(textOf(rule.perDay));
  const [perTenant, setPerTenant] = useState(textOf(rule.perTenantPerDay));
  const save = useAct<void, Limiter>({
    run: (client) =>
      client.limits.setLimiter(name, {
        count: Number(most),
        perMs: Number(perMs),
        ...(perDay !== "" && { perDay: Number(perDay) }),
        ...(perTenant !== "" && { perTenantPerDay: Number(perTenant) }),
      }),
    done: () => `${name} is saved.`,
    after: onClose,
  });
  const reset = useAct<void, void>({
    run: (client) => client.limits.resetLimiter(name),
    done: () => (codeRule ? `${name} follows the code again.` : `${name} is deleted.`),
    after: onClose,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate();
  };
  return (
    <Dialog
      error={save.error ?? reset.error}
      title={`Limiter ${name}`}
      onClose={onClose}
      actions={
        <>
          {isSet && (
            <Button busy={reset.isPending} onClick={() => reset.mutate()}>
              {codeRule ? "Follow the code" : "Delete"}
            </Button>
          )}
          <Button look="primary" submits form={form} busy={save.isPending}>
            Save
          </Button>
        </>
      }
    >
      <form id={form} className="limits-form" onSubmit={submit}>
        <p className="dim">Your rule overrides the code, also after a restart.</p>
        <div className="two">
          <Input
            label="At most"
            type="number"
            required
            min={1}
            max={1_000_000_000}
            step={1}
            value={most}
            onChange={(event) => setMost(event.target.value)}
          />
          <Select
            label="In each"
            value={perMs}
            onChange={(event) => setPerMs(event.target.value)}
            options={unitsWith(perMs)}
          />
        </div>
        <div className="two">
          <Input
            label="Daily budget"
            {...AMOUNT}
            hint="A day begins at midnight UTC."
            value={perDay}
            onChange={(event) => setPerDay(event.target.value)}
          />
          <Input
            label="Daily budget per tenant"
            {...AMOUNT}
            value={perTenant}
            onChange={(event) => setPerTenant(event.target.value)}
          />
        </div>
      </form>
    </Dialog>
  );
}

const AMOUNT = { type: "number", min: 0.000001, step: "any", placeholder: "no limit" } as const;

function textOf(value: number | undefined): string {
  return value === undefined ? "" : String(value);
}
