// Reads the text format of Prometheus as strictly as its specification allows, and throws on the first fault.

export interface ParsedFamily {
  help: string;
  type: string;
  samples: ParsedSample[];
}

export interface ParsedSample {
  name: string;
  labels: Record<string, string>;
  value: number;
}

const LINE = /^(?<name>[a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(?<labels>.*)\})? (?<value>\S+)$/;
const LABEL = /^(?<name>[a-zA-Z_][a-zA-Z0-9_]*)="(?<value>(?:[^"\\\n]|\\["\\n])*)"(?<comma>,|$)/;
const NUMBER = /^(?:[+-]?(?:\d+(?:\.\d+)?(?:e[+-]?\d+)?|Inf)|NaN)$/;
const UNESCAPED: Readonly<Record<string, string>> = { "\\\\": "\\", "\\n": "\n", '\\"': '"' };

export function parseExposition(text: string): Map<string, ParsedFamily> {
  if (!text.endsWith("\n")) throw new Error("the last line has no line feed");
  const families = new Map<string, ParsedFamily>();
  const seen = new Set<string>();
  let current: ParsedFamily | undefined;
  let currentName = "";
  for (const line of text.split("\n")) {
    if (line === "") continue;
    const [, word, name = "", rest = ""] = /^# (HELP|TYPE) (\S+) (.*)$/.exec(line) ?? [];
    if (word === "HELP") {
      if (families.has(name)) throw new Error(`the family comes twice: ${line}`);
      if (/\\[^\\n]/.test(rest.replaceAll("\\\\", ""))) throw new Error(`an unknown escape: ${line}`);
      current = { help: rest, type: "", samples: [] };
      currentName = name;
      families.set(name, current);
      continue;
    }
    if (current === undefined) throw new Error(`before the first family: ${line}`);
    if (word === "TYPE") {
      if (name !== currentName || current.type !== "") throw new Error(`the type does not follow its help: ${line}`);
      current.type = rest;
      continue;
    }
    const sample = parseSample(line);
    const [, series = ""] = sample.name.startsWith(currentName)
      ? (/^(|_bucket|_sum|_count)$/.exec(sample.name.slice(currentName.length)) ?? [undefined, "?"])
      : [undefined, "?"];
    const isOfFamily = current.type === "histogram" ? /^_/.test(series) : series === "";
    if (!isOfFamily) throw new Error(`a line of another family: ${line}`);
    const key = `${sample.name} ${JSON.stringify(Object.entries(sample.labels).sort())}`;
    if (seen.has(key)) throw new Error(`the series comes twice: ${line}`);
    seen.add(key);
    current.samples.push(sample);
  }
  for (const [name, family] of families) checkFamily(name, family);
  return families;
}

function parseSample(line: string): ParsedSample {
  const { name = "", labels: text = "", value = "" } = LINE.exec(line)?.groups ?? {};
  if (!NUMBER.test(value)) throw new Error(`not a sample: ${line}`);
  const labels: Record<string, string> = {};
  let left = text;
  while (left !== "") {
    const label = LABEL.exec(left);
    const { name: labelName = "", value: labelValue = "" } = label?.groups ?? {};
    if (!label || labelName in labels) throw new Error(`not a label: ${left}`);
    labels[labelName] = labelValue.replace(/\\["\\n]/g, (escaped) => UNESCAPED[escaped] as string);
    left = left.slice(label[0].length);
  }
  return { name, labels, value: Number(value.replace("Inf", "Infinity")) };
}

function checkFamily(name: string, { type, samples }: ParsedFamily): void {
  if (!["counter", "gauge", "histogram"].includes(type)) throw new Error(`${name} has the type "${type}"`);
  if (type === "counter" && !name.endsWith("_total")) throw new Error(`the counter ${name} does not end in _total`);
  if (type === "counter" && samples.some(({ value }) => !(value >= 0))) throw new Error(`${name} counts backwards`);
  if (type === "histogram") for (const series of groupsOf(samples)) checkHistogram(name, series);
}

/** The lines of one histogram: all labels the same but `le`. */
function groupsOf(samples: ParsedSample[]): ParsedSample[][] {
  const groups = Map.groupBy(samples, ({ labels: { le: _bound, ...labels } }) => JSON.stringify(labels));
  return [...groups.values()];
}

function checkHistogram(name: string, samples: ParsedSample[]): void {
  const buckets = samples.filter((sample) => sample.name === `${name}_bucket`);
  const bounds = buckets.map(({ labels }) => Number(labels["le"]?.replace("Inf", "Infinity")));
  const counts = buckets.map(({ value }) => value);
  const one = (series: string) => samples.filter((sample) => sample.name === `${name}_${series}`);
  if (bounds.at(-1) !== Number.POSITIVE_INFINITY) throw new Error(`${name} has no bucket for all`);
  if (bounds.some((bound, i) => i > 0 && !(bound > (bounds[i - 1] as number)))) throw new Error(`${name}: le falls`);
  if (counts.some((count, i) => i > 0 && count < (counts[i - 1] as number))) throw new Error(`${name}: counts fall`);
  if (one("sum").length !== 1 || one("count").length !== 1) throw new Error(`${name} lacks its sum or its count`);
  if (one("count")[0]?.value !== counts.at(-1)) throw new Error(`${name}_count is not the count of all`);
}
