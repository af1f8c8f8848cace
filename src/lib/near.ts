/** At most two letters changed, added or missing. */
export function isNear(known: string, name: string): boolean {
  if (Math.abs(known.length - name.length) > 2) return false;
  let above = Array.from({ length: name.length + 1 }, (_, column) => column);
  for (const [row, letter] of [...known].entries()) {
    const line = [row + 1];
    for (const [column, other] of [...name].entries()) {
      const change = (above[column] ?? 0) + (letter === other ? 0 : 1);
      line.push(Math.min(change, (above[column + 1] ?? 0) + 1, (line[column] ?? 0) + 1));
    }
    above = line;
  }
  return (above.at(-1) ?? 0) <= 2;
}
