import { useZone } from "../lib/zone.ts";
import { Button } from "../ui/button.tsx";
import { Input } from "../ui/field.tsx";
import { fromField, toField } from "./range-fields.ts";

interface Props {
  readonly since: string;
  readonly until: string;
  readonly change: (changes: Record<string, string | undefined>) => void;
}

/** Two times between which the jobs were submitted, in the zone in which the page shows times. */
export function TimeRange({ since, until, change }: Props) {
  const isUtc = useZone() === "utc";
  const field = (name: "since" | "until", label: string, value: string) => (
    <Input
      label={label}
      type="datetime-local"
      value={toField(value, isUtc)}
      onChange={({ target }) => change({ [name]: fromField(target.value, isUtc), last: undefined })}
    />
  );
  return (
    <div className="time-range">
      {field("since", "From", since)}
      {field("until", "To", until)}
      <Button look="quiet" onClick={() => change({ since: undefined, until: undefined, last: undefined })}>
        Any time
      </Button>
    </div>
  );
}
