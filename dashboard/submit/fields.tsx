import { Check, Input, Select, TextArea } from "../ui/field.tsx";
import type { Draft, NamedField } from "./schema.ts";

interface Props {
  readonly fields: readonly NamedField[];
  readonly draft: Draft;
  readonly onChange: (draft: Draft) => void;
  /** By the name of the field. */
  readonly errors: ReadonlyMap<string, string>;
}

export function Fields({ fields, draft, onChange, errors }: Props) {
  return fields.map((each) => (
    <One
      key={each.name}
      named={each}
      value={draft[each.name]}
      error={errors.get(each.name)}
      onChange={(value) => onChange({ ...draft, [each.name]: value })}
    />
  ));
}

interface OneProps {
  readonly named: NamedField;
  readonly value: string | boolean | undefined;
  readonly error: string | undefined;
  readonly onChange: (value: string | boolean) => void;
}

function One({ named: { name, field, schema, required }, value, error, onChange }: OneProps) {
  const label = required ? name : `${name} (optional)`;
  const text = typeof value === "string" ? value : "";
  const common = { label, hint: schema.description, error, required };
  const onText = (event: { target: { value: string } }) => onChange(event.target.value);
  switch (field.type) {
    case "switch":
      return (
        <Check
          label={schema.description ? `${name}: ${schema.description}` : name}
          checked={value === true}
          onChange={(event) => onChange(event.target.checked)}
        />
      );
    case "choice":
      return (
        <Select
          {...common}
          value={text}
          onChange={onText}
          options={[
            ...(required ? [] : [["", "–"] as const]),
            ...field.options.map((option) => [option, option] as const),
          ]}
        />
      );
    case "number":
      return (
        <Input
          {...common}
          type="number"
          step={field.whole ? 1 : "any"}
          min={schema.minimum}
          max={schema.maximum}
          value={text}
          onChange={onText}
        />
      );
    case "lines":
      return (
        <TextArea {...common} hint={schema.description ?? "One per line."} rows={3} value={text} onChange={onText} />
      );
    case "json":
      return <TextArea {...common} hint={schema.description ?? "As JSON."} rows={3} value={text} onChange={onText} />;
    case "text":
      return field.long ? (
        <TextArea {...common} value={text} onChange={onText} />
      ) : (
        <Input
          {...common}
          type={field.url ? "url" : "text"}
          maxLength={schema.maxLength}
          value={text}
          onChange={onText}
        />
      );
  }
}
