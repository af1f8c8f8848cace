import {
  type InputHTMLAttributes,
  type ReactNode,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useId,
} from "react";

interface FieldFrame {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly error?: string | undefined;
  /** Only for those who hear the page. */
  readonly labelHidden?: boolean;
}

function Field({ id, label, hint, error, labelHidden, children }: FieldFrame & { id: string; children: ReactNode }) {
  return (
    <div className="field">
      <label htmlFor={id} className={labelHidden ? "visually-hidden" : undefined}>
        {label}
      </label>
      {children}
      {error ? (
        <p id={`${id}-note`} className="field-error">
          {error}
        </p>
      ) : (
        hint && (
          <p id={`${id}-note`} className="field-hint">
            {hint}
          </p>
        )
      )}
    </div>
  );
}

function noteOf(id: string, { hint, error }: FieldFrame) {
  return { "aria-describedby": hint || error ? `${id}-note` : undefined, "aria-invalid": error ? true : undefined };
}

type InputProps = FieldFrame & InputHTMLAttributes<HTMLInputElement>;

/** A text field with its label, hint and error. */
export function Input({ label, hint, error, labelHidden = false, ...rest }: InputProps) {
  const id = useId();
  const around = { label, hint, error, labelHidden };
  return (
    <Field id={id} {...around}>
      <input id={id} className="input" autoComplete="off" {...noteOf(id, around)} {...rest} />
    </Field>
  );
}

type TextAreaProps = FieldFrame & TextareaHTMLAttributes<HTMLTextAreaElement>;

/** A field for several lines with its label, hint and error. */
export function TextArea({ label, hint, error, labelHidden = false, ...rest }: TextAreaProps) {
  const id = useId();
  const around = { label, hint, error, labelHidden };
  return (
    <Field id={id} {...around}>
      <textarea id={id} className="input code" spellCheck={false} rows={6} {...noteOf(id, around)} {...rest} />
    </Field>
  );
}

type SelectProps = FieldFrame &
  SelectHTMLAttributes<HTMLSelectElement> & { readonly options: readonly (readonly [string, string])[] };

/** A choice of options with its label, hint and error. */
export function Select({ label, hint, error, labelHidden = false, options, ...rest }: SelectProps) {
  const id = useId();
  const around = { label, hint, error, labelHidden };
  return (
    <Field id={id} {...around}>
      <select id={id} className="input select" {...noteOf(id, around)} {...rest}>
        {options.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </Field>
  );
}

/** A checkbox with its label. */
export function Check({
  label,
  error,
  ...rest
}: { label: string; error?: string | undefined } & InputHTMLAttributes<HTMLInputElement>) {
  const id = useId();
  return (
    <div className="check">
      <input id={id} type="checkbox" {...noteOf(id, { label, error })} {...rest} />
      <label htmlFor={id}>{label}</label>
      {error && (
        <p id={`${id}-note`} className="field-error">
          {error}
        </p>
      )}
    </div>
  );
}

interface SegmentsProps<T extends string> {
  readonly label: string;
  readonly value: T;
  readonly options: readonly (readonly [T, string])[];
  readonly onChange: (value: T) => void;
}

/** One of a few, all in view. */
export function Segments<T extends string>({ label, value, options, onChange }: SegmentsProps<T>) {
  const name = useId();
  return (
    <fieldset className="segments">
      <legend className="visually-hidden">{label}</legend>
      {options.map(([each, text]) => (
        <label key={each} className={each === value ? "on" : undefined}>
          <input type="radio" name={name} value={each} checked={each === value} onChange={() => onChange(each)} />
          {text}
        </label>
      ))}
    </fieldset>
  );
}
