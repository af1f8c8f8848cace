import { oneLine, shorten, widthOf } from "./format.ts";
import { paint, type Style } from "./paint.ts";

/** A column of a table. */
export interface TableColumn<Row> {
  /** The heading. */
  readonly title: string;
  /** The content of a cell. */
  value(row: Row): string | number | undefined;
  /** The side that cells are aligned to. Default: "left". */
  readonly align?: "left" | "right";
  /** The style of a cell. Default: none. */
  style?(row: Row): Style | undefined;
  /** The most characters of a cell. Default: 1,000. */
  readonly most?: number;
  /** Whether the column is cut first when the terminal is narrow. Default: it is not cut. */
  readonly stretch?: true;
}

const GAP = "  ";
const LEAST = 8;

/** Rows in aligned columns, cut to the width of the terminal if it is given. Empty columns are left out. */
export function table<Row>(columns: readonly TableColumn<Row>[], rows: readonly Row[], terminalWidth?: number): string {
  const cells = rows.map((row) => columns.map(({ value, most }) => shorten(textOf(value(row)), most ?? 1_000)));
  const shown = columns.map((_, index) => rows.length === 0 || cells.some((line) => line[index] !== ""));
  const widths = columns.map(({ title }, index) =>
    Math.max(widthOf(title), ...cells.map((line) => widthOf(line[index] ?? ""))),
  );
  narrow(columns, widths, shown, terminalWidth);
  const line = (texts: readonly string[], style: (index: number) => Style | undefined) =>
    columns
      .flatMap(({ align }, index) => {
        if (!shown[index]) return [];
        const width = widths[index] ?? 0;
        const text = shorten(texts[index] ?? "", width);
        const space = " ".repeat(Math.max(0, width - widthOf(text)));
        const painted = paint(style(index), text);
        return [align === "right" ? space + painted : painted + space];
      })
      .join(GAP)
      .trimEnd();
  const head = line(
    columns.map(({ title }) => title),
    () => "dim",
  );
  return [head, ...rows.map((row, at) => line(cells[at] ?? [], (index) => columns[index]?.style?.(row)))].join("\n");
}

function narrow<Row>(
  columns: readonly TableColumn<Row>[],
  widths: number[],
  shown: readonly boolean[],
  terminalWidth: number | undefined,
): void {
  if (terminalWidth === undefined) return;
  const total = () =>
    widths.reduce((sum, width, index) => (shown[index] ? sum + width + GAP.length : sum), -GAP.length);
  for (const [index, { stretch }] of columns.entries()) {
    const excess = total() - terminalWidth;
    if (stretch && excess > 0) widths[index] = Math.max(LEAST, (widths[index] ?? 0) - excess);
  }
}

/** Formats one thing as lines of `name  value`. */
export function list(entries: readonly (readonly [string, string | number | undefined])[]): string {
  const shown = entries.filter(([, value]) => value !== undefined && value !== "");
  const width = Math.max(0, ...shown.map(([name]) => widthOf(name)));
  return shown.map(([name, value]) => `${paint("dim", name)}${" ".repeat(width - widthOf(name))}  ${value}`).join("\n");
}

function textOf(value: string | number | undefined): string {
  return value === undefined ? "" : oneLine(String(value));
}
