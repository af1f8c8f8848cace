import type { SubmitOptions } from "../../src/client/index.ts";
import { SUBMIT_OPTIONS } from "../../src/job/options/submit-options.ts";
import type { Option, OptionRule } from "../../src/lib/options/option.ts";
import { useSurroundings } from "../lib/data.ts";
import { Input } from "../ui/field.tsx";
import { Folded } from "./fields.tsx";

/** What stands in the fields, by the name of the option. */
export type MoreOptions = Readonly<Record<string, string>>;

export const NOTHING_MORE: MoreOptions = {};

/** The options of a submission that have a field, in the order of their description. */
const FIELDS = Object.entries<Option>(SUBMIT_OPTIONS).flatMap(([name, { rule, outside }]) =>
  outside?.field ? [{ name, wire: outside.wire ?? name, rule, ...outside.field }] : [],
);

interface Props {
  readonly more: MoreOptions;
  readonly onChange: (more: MoreOptions) => void;
}

export function MoreFields({ more, onChange }: Props) {
  const { session } = useSurroundings();
  const field = (name: string) => ({
    value: more[name] ?? "",
    onChange: (event: { target: { value: string } }) => onChange({ ...more, [name]: event.target.value }),
  });
  return (
    <Folded summary="More: delay, priority, tags, idempotency key">
      <div className="more-grid">
        {FIELDS.map(({ name, rule, label, hint, placeholder }) => (
          <Input
            key={name}
            {...{ label, hint, placeholder }}
            {...numberField(rule)}
            error={problemOf(rule, more[name] ?? "")}
            {...field(name)}
          />
        ))}
        <Input
          label="Idempotency key"
          placeholder="a new one"
          maxLength={255}
          hint="The same key and payload return the first job again."
          {...field("idempotencyKey")}
        />
        {session.allTenants && (
          <Input
            label="Tenant"
            placeholder="default"
            maxLength={64}
            hint="The owner of the job."
            {...field("tenant")}
          />
        )}
      </div>
    </Folded>
  );
}

function numberField(rule: OptionRule) {
  return rule.is === "whole" && rule.unit === undefined
    ? { type: "number", min: rule.least, max: rule.most, step: 1 }
    : {};
}

const UNITS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  min: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

function spanMs(text: string): number | undefined {
  const [, digits, unit = "s"] = /^\s*(\d+(?:\.\d+)?)\s*(ms|s|m|min|h|d)?\s*$/.exec(text) ?? [];
  return digits === undefined ? undefined : Math.round(Number(digits) * (UNITS[unit] as number));
}

function problemOf(rule: OptionRule, text: string): string | undefined {
  const isSpan = rule.is === "whole" && rule.unit === "ms";
  return isSpan && text && spanMs(text) === undefined ? "Write it like 10s, 5m, 2h or 1d." : undefined;
}

/** What is wrong with one of the fields. */
export function problemWith(more: MoreOptions): string | undefined {
  const wrong = FIELDS.find(({ name, rule }) => problemOf(rule, more[name] ?? ""));
  return wrong && `The ${wrong.label.toLowerCase()} is not understood. Write it like 10s, 5m, 2h or 1d.`;
}

function fieldValue(rule: OptionRule, text: string): unknown {
  if (rule.is === "whole") return rule.unit === "ms" ? spanMs(text) : Number(text);
  const words = text
    .split(",")
    .map((word) => word.trim())
    .filter((word) => word !== "");
  return words.length > 0 ? words : undefined;
}

export function optionsOf(more: MoreOptions): SubmitOptions {
  const options: Record<string, unknown> = {};
  for (const { name, wire, rule } of FIELDS) if (more[name]) options[wire] = fieldValue(rule, more[name]);
  return { ...options, ...(more["idempotencyKey"] && { idempotencyKey: more["idempotencyKey"] }) };
}
