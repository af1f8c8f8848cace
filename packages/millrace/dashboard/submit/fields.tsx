import { type ReactNode, useState } from "react";
import { Check, Input, Select, TextArea } from "../ui/field.tsx";
import { type Draft, isAmong, type NamedField } from "./schema.ts";

interface Props {
  readonly fields: readonly NamedField[];
  readonly draft: Draft;
  readonly onChange: (draft: Draft) => void;
  /** By the name of the field. */
  readonly errors: ReadonlyMap<string, string>;
}

/** Parts of a part are together under its name; one that may be left out is folded until something is in it. */
export function Fields({ fields, draft, onChange, errors }: Props) {
  const one = (each: NamedField) => (
    <One
      key={each.key}
      named={each}
      value={draft[each.key]}
      error={errors.get(each.key)}
      onChange={(value) => onChange({ ...draft, [each.key]: value })}
    />
  );
  return groupsOf(fields).map(({ name, members, isOptional }) => {
    if (name === "") return members.map(one);
    const inner = members.map(one);
    const isUsed = members.some(({ key }) => (draft[key] ?? "") !== "");
    const about = members.map(({ path }) => path.at(-1)).join(", ");
    return isOptional ? (
      <Folded
        key={name}
        summary={`${name} (optional): ${about}`}
        opensNow={isUsed}
        opens={members.some(({ key }) => errors.has(key))}
      >
        <div className="more-grid">{inner}</div>
      </Folded>
    ) : (
      <fieldset key={name} className="part">
        <legend>{name}</legend>
        <div className="more-grid">{inner}</div>
      </fieldset>
    );
  });
}

interface FoldedProps {
  readonly summary: string;
  /** At first; then it stays as the person leaves it. */
  readonly opensNow?: boolean;
  /** There is something in it to be seen. */
  readonly opens?: boolean;
  readonly children: ReactNode;
}

export function Folded({ summary, opensNow = false, opens = false, children }: FoldedProps) {
  const [isOpen, setOpen] = useState(opensNow);
  return (
    <details
      className="more-fields"
      open={isOpen || opens}
      onToggle={(event) => setOpen(event.currentTarget.open)}
      onInvalidCapture={() => setOpen(true)}
    >
      <summary>{summary}</summary>
      {children}
    </details>
  );
}

interface Group {
  /** "" for what stands in the payload itself. */
  readonly name: string;
  readonly isOptional: boolean;
  readonly members: NamedField[];
}

/** In the order of the schema; what follows a part in the payload itself comes after it. */
function groupsOf(fields: readonly NamedField[]): Group[] {
  const groups: Group[] = [];
  for (const field of fields) {
    const name = field.path.slice(0, -1).join(" › ");
    const last = groups.at(-1);
    if (last?.name === name) last.members.push(field);
    else groups.push({ name, isOptional: field.inOptional, members: [field] });
  }
  return groups;
}

interface OneProps {
  readonly named: NamedField;
  readonly value: string | boolean | undefined;
  readonly error: string | undefined;
  readonly onChange: (value: string | boolean) => void;
}

function One({ named: { path, field, schema, required, inOptional }, value, error, onChange }: OneProps) {
  const name = path.at(-1) as string;
  // Within a part that is optional as a whole, each is.
  const label = required || inOptional ? name : `${name} (optional)`;
  const text = typeof value === "string" ? value : "";
  const hint = schema.description?.replaceAll("`", "");
  const common = { label, hint, error, required };
  const onText = (event: { target: { value: string } }) => onChange(event.target.value);
  switch (field.type) {
    case "switch":
      return (
        <Check
          label={hint ? `${name}: ${hint}` : name}
          error={error}
          checked={typeof value === "boolean" ? value : schema.default === true}
          onChange={(event) => onChange(event.target.checked)}
        />
      );
    case "choice":
      return (
        <Select
          {...common}
          value={isAmong(field, text) ? text : ""}
          onChange={onText}
          options={[
            ...(required && isAmong(field, text) ? [] : [["", "–"] as const]),
            // What a payload may say beside the words, such as the number of a theme.
            ...(isAmong(field, text) && !field.options.includes(text) ? [[text, text] as const] : []),
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
      return <TextArea {...common} hint={hint ?? "One per line."} rows={3} value={text} onChange={onText} />;
    case "json":
      return (
        <TextArea {...common} hint={hint ? `${hint} As JSON.` : "As JSON."} rows={3} value={text} onChange={onText} />
      );
    case "text":
      return field.long || text.includes("\n") ? (
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
