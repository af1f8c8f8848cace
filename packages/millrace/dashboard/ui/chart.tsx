import { useEffect, useMemo, useRef, useState } from "react";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { clock } from "../lib/format.ts";
import { useTheme } from "../lib/theme.ts";

export interface Series {
  readonly label: string;
  /** A token of the design: `--good`. */
  readonly colour: string;
  readonly values: readonly (number | null)[];
  readonly fill?: boolean;
  /** Lengths of dashes and gaps, so that lines differ by more than colour. Default: a solid line. */
  readonly dash?: readonly number[];
}

/** Something that happened at a time: a vertical line. */
export interface ChartMark {
  /** Seconds since 1970. */
  readonly at: number;
  readonly label: string;
}

interface Props {
  readonly title: string;
  /** Seconds since 1970, as uPlot takes them. */
  readonly times: readonly number[];
  readonly from: number;
  readonly until: number;
  readonly series: readonly Series[];
  readonly marks?: readonly ChartMark[];
  /** Whether the legend names the last mark: of several charts over the same time, one is enough. Default: false. */
  readonly namesMark?: boolean;
  readonly format: (value: number) => string;
  /** On the axis, where it differs. */
  readonly formatAxis?: (value: number) => string;
  readonly height?: number;
}

/** Lines over time, with the value under the pointer (or the last one) in the legend. */
export function Chart({ title, times, from, until, series, marks = NO_MARKS, format, ...rest }: Props) {
  const { formatAxis = format, height = 148, namesMark = false } = rest;
  const box = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>(undefined);
  const [at, setAt] = useState<number | null>(null);
  const { dark } = useTheme();
  const data = useMemo(() => [times, ...series.map(({ values }) => values)] as uPlot.AlignedData, [times, series]);
  const latest = useRef({ data, from, until, marks, formatAxis });
  latest.current = { data, from, until, marks, formatAxis };
  const shape = series.map(({ label, colour, fill }) => `${label}|${colour}|${fill ?? false}`).join();

  // biome-ignore lint/correctness/useExhaustiveDependencies: it is drawn again only when its lines or the theme change
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const colours = coloursOf(element, ["--faint", "--line", ...series.map(({ colour }) => colour)]);
    const made = new uPlot(
      optionsOf({ width: element.clientWidth, height, series, colours, latest, setAt }),
      latest.current.data,
      element,
    );
    plot.current = made;
    const sized = new ResizeObserver(() => made.setSize({ width: element.clientWidth, height }));
    sized.observe(element);
    return () => {
      sized.disconnect();
      made.destroy();
    };
  }, [shape, dark, height]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the plot reads the range from `latest`
  useEffect(() => plot.current?.setData(data), [data, from, until, marks]);

  const place = at ?? times.length - 1;
  const legend = series.map(({ label, colour, dash, values }) => ({
    label,
    colour,
    dashed: dash !== undefined,
    value: shown(values[place], format),
  }));
  const seen = marks.filter((mark) => mark.at >= from && mark.at <= until);
  const said = [
    ...legend.map(({ label, value }) => `${label} ${value}`),
    ...seen.map((mark) => `${mark.label} deployed ${clock(mark.at * 1_000)}`),
  ].join(", ");
  return (
    <figure className="chart">
      <figcaption>
        <span className="chart-title">{title}</span>
        <span className="legend">
          {at !== null && times[at] !== undefined && <span className="dim">{clock(times[at] * 1_000, true)}</span>}
          {namesMark && at === null && seen.length > 0 && (
            <span className="dim">
              ▾ {seen.at(-1)?.label} {clock((seen.at(-1)?.at as number) * 1_000)}
            </span>
          )}
          {legend.map(({ label, colour, value, dashed }) => (
            <span key={label}>
              <i className={dashed ? "swatch dashed" : "swatch"} style={{ color: `var(${colour})` }} />
              {label} <b>{value}</b>
            </span>
          ))}
        </span>
      </figcaption>
      <div ref={box} role="img" aria-label={`${title}: ${said}`} className="plot" style={{ height }} />
    </figure>
  );
}

const NO_MARKS: readonly ChartMark[] = [];

function shown(value: number | null | undefined, format: (value: number) => string): string {
  return value === null || value === undefined ? "–" : format(value);
}

interface ChartOptions {
  readonly width: number;
  readonly height: number;
  readonly series: readonly Series[];
  readonly colours: Record<string, string>;
  readonly latest: {
    readonly current: {
      from: number;
      until: number;
      marks: readonly ChartMark[];
      formatAxis: (value: number) => string;
    };
  };
  readonly setAt: (at: number | null) => void;
}

function optionsOf({ width, height, series, colours, latest, setAt }: ChartOptions): uPlot.Options {
  const axis = {
    stroke: colours["--faint"] as string,
    font: "11px Inter, system-ui, sans-serif",
    grid: { stroke: colours["--line"] as string, width: 1 },
    ticks: { show: false },
  };
  return {
    width,
    height,
    legend: { show: false },
    padding: [8, 4, 0, 0],
    cursor: { y: false, drag: { x: false, y: false }, points: { size: 6 } },
    scales: {
      x: { time: true, range: () => [latest.current.from, latest.current.until] },
      y: { range: (_plot, _low, high) => [0, Math.max(1, (high ?? 0) * 1.15)] },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        size: 24,
        space: 70,
        values: (plot, splits) =>
          splits.map((at) => (fits(plot, at) ? clock(at * 1_000, isShort(latest.current)) : "")),
      },
      {
        ...axis,
        size: 52,
        space: 34,
        values: (_plot, splits) => splits.map((value) => latest.current.formatAxis(value)),
      },
    ],
    series: [
      {},
      ...series.map(({ label, colour, fill, dash }) => ({
        label,
        ...(dash && { dash: [...dash] }),
        stroke: colours[colour] as string,
        width: 1.5,
        points: { show: false },
        ...(fill && { fill: (colours[colour] as string).replace("rgb(", "rgba(").replace(")", ", 0.12)") }),
      })),
    ],
    hooks: {
      setCursor: [(plot) => setAt(plot.cursor.idx ?? null)],
      draw: [(plot) => drawMarks(plot, latest.current.marks, axis.stroke)],
    },
  };
}

/** A vertical line with a small triangle on top for each mark. */
function drawMarks(plot: uPlot, marks: readonly ChartMark[], colour: string): void {
  const { ctx: context, bbox } = plot;
  const scale = devicePixelRatio;
  context.save();
  context.strokeStyle = colour;
  context.fillStyle = colour;
  context.lineWidth = scale;
  for (const { at } of marks) {
    const x = Math.round(plot.valToPos(at, "x", true));
    if (!(x >= bbox.left && x <= bbox.left + bbox.width)) continue;
    context.setLineDash([2 * scale, 3 * scale]);
    context.beginPath();
    context.moveTo(x, bbox.top);
    context.lineTo(x, bbox.top + bbox.height);
    context.stroke();
    context.beginPath();
    context.moveTo(x - 4 * scale, bbox.top);
    context.lineTo(x + 4 * scale, bbox.top);
    context.lineTo(x, bbox.top + 6 * scale);
    context.fill();
  }
  context.restore();
}

/** A time is written around its place; at the edge half of it would be cut off. */
function fits(plot: uPlot, at: number): boolean {
  return plot.valToPos(at, "x") < plot.over.clientWidth - HALF_A_TIME_PX;
}

const HALF_A_TIME_PX = 24;

/** Minutes alone would repeat themselves. */
function isShort({ from, until }: { from: number; until: number }): boolean {
  return until - from < 300;
}

/** A canvas knows no custom properties, so the browser is asked what they come to. */
function coloursOf(element: HTMLElement, names: readonly string[]): Record<string, string> {
  const probe = document.createElement("span");
  element.append(probe);
  const colours: Record<string, string> = {};
  for (const name of names) {
    probe.style.color = `var(${name})`;
    colours[name] = getComputedStyle(probe).color;
  }
  probe.remove();
  return colours;
}
