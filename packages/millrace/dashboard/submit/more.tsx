import type { SubmitOptions } from "../../src/client/index.ts";
import { useSurroundings } from "../lib/data.ts";
import { Input } from "../ui/field.tsx";
import { Folded } from "./fields.tsx";

export interface More {
  readonly idempotencyKey: string;
  readonly delay: string;
  readonly priority: string;
  readonly maxRetries: string;
  readonly tags: string;
  readonly tenant: string;
}

export const NOTHING_MORE: More = { idempotencyKey: "", delay: "", priority: "", maxRetries: "", tags: "", tenant: "" };

interface Props {
  readonly more: More;
  readonly onChange: (more: More) => void;
}

export function MoreFields({ more, onChange }: Props) {
  const { session } = useSurroundings();
  const field = (name: keyof More) => ({
    value: more[name],
    onChange: (event: { target: { value: string } }) => onChange({ ...more, [name]: event.target.value }),
  });
  return (
    <Folded summary="More: delay, priority, tags, idempotency key">
      <div className="more-grid">
        <Input
          label="Delay"
          placeholder="none"
          hint="10s, 5m, 2h or 1d"
          error={more.delay && delayMs(more.delay) === undefined ? "Write it like 10s, 5m, 2h or 1d." : undefined}
          {...field("delay")}
        />
        <Input
          label="Priority"
          type="number"
          step={1}
          placeholder="0"
          hint="Lower goes first."
          {...field("priority")}
        />
        <Input
          label="Attempts"
          type="number"
          min={1}
          max={1000}
          step={1}
          placeholder="as the kind says"
          hint="The first included."
          {...field("maxRetries")}
        />
        <Input label="Tags" placeholder="none" hint="Divided by commas." {...field("tags")} />
        <Input
          label="Idempotency key"
          placeholder="a new one"
          maxLength={255}
          hint="Same key, same payload: the first job again."
          {...field("idempotencyKey")}
        />
        {session.allTenants && (
          <Input label="Tenant" placeholder="default" maxLength={64} hint="Whose job it is." {...field("tenant")} />
        )}
      </div>
    </Folded>
  );
}

const UNITS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  min: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

export function delayMs(text: string): number | undefined {
  const [, digits, unit = "s"] = /^\s*(\d+(?:\.\d+)?)\s*(ms|s|m|min|h|d)?\s*$/.exec(text) ?? [];
  return digits === undefined ? undefined : Math.round(Number(digits) * (UNITS[unit] as number));
}

export function optionsOf(more: More): SubmitOptions {
  const delay = delayMs(more.delay);
  const tags = more.tags
    .split(",")
    .map((tag) => tag.trim())
    .filter((tag) => tag !== "");
  return {
    ...(more.idempotencyKey && { idempotencyKey: more.idempotencyKey }),
    ...(delay !== undefined && { delayMs: delay }),
    ...(more.priority && { priority: Number(more.priority) }),
    ...(more.maxRetries && { maxRetries: Number(more.maxRetries) }),
    ...(tags.length > 0 && { tags }),
  };
}
