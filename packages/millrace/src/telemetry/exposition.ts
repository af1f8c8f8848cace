// The text format of Prometheus, version 0.0.4.

export type Labels = Readonly<Record<string, string>>;

/** One line: a value of a family under these labels. */
export interface Sample {
  readonly labels: Labels;
  readonly value: number;
  /** Histograms have three series under one family name. */
  readonly series?: "bucket" | "sum" | "count";
}

export interface Family {
  readonly type: "counter" | "gauge" | "histogram";
  readonly name: string;
  readonly help: string;
  readonly samples: readonly Sample[];
}

export function expositionOf(families: readonly Family[]): string {
  return `${families.map(familyText).join("\n\n")}\n`;
}

function familyText({ type, name, help, samples }: Family): string {
  const lines = [`# HELP ${name} ${escaped(help)}`, `# TYPE ${name} ${type}`];
  for (const { labels, value, series } of samples) {
    lines.push(`${series === undefined ? name : `${name}_${series}`}${labelText(labels)} ${numberText(value)}`);
  }
  return lines.join("\n");
}

function labelText(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value).replaceAll('"', '\\"')}"`);
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}

/** Help texts escape backslashes and line feeds; label values also escape quotes. */
function escaped(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n");
}

function numberText(value: number): string {
  if (Number.isNaN(value)) return "NaN";
  if (value === Number.POSITIVE_INFINITY) return "+Inf";
  return value === Number.NEGATIVE_INFINITY ? "-Inf" : String(value);
}
