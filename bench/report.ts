import { type Figures, figure, type Measure, type Result } from "./harness.ts";
import type { Machine } from "./machine.ts";
import type { Verdict } from "./targets.ts";

export interface Run {
  date: string;
  quick: boolean;
  machine: Machine;
  results: Result[];
  verdicts: Verdict[];
  minutes: number;
}

export function markdown(run: Run, measures: Measure[]): string {
  const { machine: m } = run;
  return [
    `# Bench, ${run.date}, ${m.runtime}${run.quick ? " (quick: small counts, one round)" : ""}`,
    "",
    `${m.cpu}, ${m.cores} cores, ${m.memoryGb} GB, ${m.kernel}, SQLite ${m.sqlite}, commit ${m.commit}; ${figure(run.minutes)} minutes.`,
    "Medians of the rounds; the machine may be shared: ratios within this run count, not the figures by themselves.",
    "",
    ...table(
      ["measure", "who", "setting", "figure", "ratio", "rounds", "besides"],
      run.results.map((each) => row(each, run.results)),
    ),
    "",
    ...measures.map(({ name, title }) => `- \`${name}\`: ${title}`),
    "",
    "## To reach",
    "",
    ...table(
      ["what", "target", "measured", "reached"],
      run.verdicts.map(({ what, target, measured, reached }) => [
        what,
        target,
        measured,
        reached === undefined ? "-" : reached ? "yes" : "**no**",
      ]),
    ),
    "",
  ].join("\n");
}

function row(each: Result, results: Result[]): string[] {
  if (each.failed !== undefined)
    return [each.measure, each.who, each.setting, "failed", "", "", each.failed.replaceAll(/\s+/g, " ").slice(0, 120)];
  const [first, ...besides] = Object.entries(each.figures) as [[string, number], ...[string, number][]];
  const [name, value] = first;
  const label = each.unit === name || each.unit.startsWith(name) ? each.unit : `${each.unit} ${name}`;
  return [
    each.measure,
    each.measure === "disk" ? "" : each.who,
    each.setting,
    `${figure(value)} ${label}`,
    ratioOf(each, value, results),
    each.rounds.length > 1 ? `${figure(Math.min(...each.rounds))} to ${figure(Math.max(...each.rounds))}` : "",
    besides.map(([name, value]) => `${name} ${figure(value)}`).join(", "),
  ];
}

function ratioOf({ who, setting, measure, against }: Result, value: number, results: Result[]): string {
  if (!against || (against.who === who && against.setting === setting)) return "";
  const other = results.find(
    (each) => each.measure === measure && each.who === against.who && each.setting === against.setting,
  );
  const base = other && Object.values(other.figures as Figures)[0];
  if (base === undefined) return "";
  return `${figure(value / base)} x ${against.who === who ? against.setting : against.who}`;
}

function table(head: string[], rows: string[][]): string[] {
  const widths = head.map((title, i) => Math.max(title.length, ...rows.map((cells) => (cells[i] ?? "").length)));
  const line = (cells: string[]) => `| ${cells.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(" | ")} |`;
  return [line(head), line(widths.map((width) => "-".repeat(width))), ...rows.map(line)];
}
