/** Whether at most two letters are changed, added, missing or swapped. */
export function isNear(known: string, name: string): boolean {
  return Math.abs(known.length - name.length) <= 2 && editDistance(known, name) <= 2;
}

/** How many letters must be changed, added, removed or swapped with their neighbour to turn one name into the other. */
export function editDistance(a: string, b: string): number {
  const [from, to] = [[...a], [...b]];
  const rows = [Array.from({ length: to.length + 1 }, (_, column) => column)];
  for (const [row, letter] of from.entries()) {
    const above = rows[row] ?? [];
    const line = [row + 1];
    for (const [column, other] of to.entries()) {
      const change = (above[column] ?? 0) + (letter === other ? 0 : 1);
      const isSwap = row > 0 && column > 0 && letter === to[column - 1] && other === from[row - 1];
      const swap = isSwap ? (rows[row - 1]?.[column - 1] ?? 0) + 1 : change;
      line.push(Math.min(change, swap, (above[column + 1] ?? 0) + 1, (line[column] ?? 0) + 1));
    }
    rows.push(line);
  }
  return rows.at(-1)?.at(-1) ?? 0;
}
