// Tables: cells as wide as the widest of their column, rows as high as the highest of their cells.

import type { BlockLayout, Room } from "./block-layout.ts";
import type { BlockBox } from "./boxes.ts";
import { type ContentLayout, moved, together } from "./laid-out.ts";

const CAPTION_OR_ROWS = /^table-(?:row-group|header-group|footer-group)$/;

export function tableWidths(table: BlockBox, layout: BlockLayout): readonly [min: number, max: number] {
  const rows = rowsOf(table);
  const gaps = gapsOf(table, rows);
  const columns = columnWidths(rows, layout);
  return [sum(columns.map(([min]) => min)) + gaps, sum(columns.map(([, max]) => max)) + gaps];
}

export function layoutTable(table: BlockBox, room: Room, layout: BlockLayout): ContentLayout {
  const rows = rowsOf(table);
  const spacing = table.style.borderSpacingPx;
  const widths = shared(columnWidths(rows, layout), room.width - gapsOf(table, rows));
  const parts: ContentLayout[] = [];
  let y = spacing;
  // A table of one row has the height that its style gives.
  const least = rows.length === 1 && room.height !== undefined ? room.height - 2 * spacing : 0;
  for (const cells of rows) {
    const natural = cells.map((cell, at) => layout.layout(asBlock(cell, widths[at] ?? 0), cellRoom(widths[at] ?? 0)));
    const height = Math.max(least, ...natural.map((cell) => cell.height));
    let x = spacing;
    for (const [at, cell] of cells.entries()) {
      const width = widths[at] ?? 0;
      const own = { ...asBlock(cell, width), style: { ...asBlock(cell, width).style, height: { px: height } } };
      parts.push(moved(layout.layout(own, { width, height }), x, y));
      x += width + spacing;
    }
    y += height + spacing;
  }
  return together({ width: room.width, height: y }, parts);
}

function cellRoom(width: number): Room {
  return { width, height: undefined };
}

/** The column decides how wide a cell is. */
function asBlock(cell: BlockBox, width: number): BlockBox {
  return { ...cell, style: { ...cell.style, width: { px: width }, maxWidth: undefined, minWidth: undefined } };
}

/** Cells without a row, and rows within groups, are the table's rows as well. */
function rowsOf(table: BlockBox): BlockBox[][] {
  const rows: BlockBox[][] = [];
  let loose: BlockBox[] | undefined;
  const read = (boxes: readonly BlockBox[]) => {
    for (const box of boxes) {
      const inside = box.content.type === "blocks" ? box.content.boxes : [];
      if (CAPTION_OR_ROWS.test(box.style.display)) read(inside);
      else if (box.style.display === "table-row") {
        rows.push([...inside]);
        loose = undefined;
      } else if (loose === undefined) {
        loose = [box];
        rows.push(loose);
      } else loose.push(box);
    }
  };
  if (table.content.type === "blocks") read(table.content.boxes);
  return rows;
}

function columnWidths(rows: readonly BlockBox[][], layout: BlockLayout): (readonly [number, number])[] {
  const count = Math.max(0, ...rows.map((cells) => cells.length));
  return Array.from({ length: count }, (_, at) => {
    const cells = rows.flatMap((row) => row[at] ?? []).map((cell) => layout.contentWidths(cell));
    return [Math.max(0, ...cells.map(([min]) => min)), Math.max(0, ...cells.map(([, max]) => max))] as const;
  });
}

/** More room goes to the columns by what they would like, less is taken from what they do not need. */
function shared(columns: readonly (readonly [number, number])[], width: number): number[] {
  const [least, most] = [sum(columns.map(([min]) => min)), sum(columns.map(([, max]) => max))];
  if (width >= most) return columns.map(([, max]) => (most === 0 ? width / columns.length : (max * width) / most));
  const part = most === least ? 0 : Math.max(0, width - least) / (most - least);
  return columns.map(([min, max]) => min + (max - min) * part);
}

function gapsOf({ style }: BlockBox, rows: readonly BlockBox[][]): number {
  return style.borderSpacingPx * (Math.max(0, ...rows.map((cells) => cells.length)) + 1);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
