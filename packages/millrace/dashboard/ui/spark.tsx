const WIDTH = 72;
const HEIGHT = 18;
/** More points than pixels cannot be seen. */
const MOST = 60;

/** A small line over time, beside the number that it leads to. */
export function Spark({ values, label }: { values: readonly (number | null)[]; label: string }) {
  const step = Math.max(1, Math.ceil(values.length / MOST));
  const shown = values.filter((_, i) => (values.length - 1 - i) % step === 0);
  const most = Math.max(1, ...shown.map((value) => value ?? 0));
  const place = (value: number, i: number) =>
    `${((i / Math.max(1, shown.length - 1)) * WIDTH).toFixed(1)} ${(HEIGHT - 1 - (value / most) * (HEIGHT - 2)).toFixed(1)}`;
  let path = "";
  let isOpen = false;
  for (const [i, value] of shown.entries()) {
    if (value === null) {
      isOpen = false;
      continue;
    }
    path += `${isOpen ? "L" : "M"}${place(value, i)}`;
    isOpen = true;
  }
  return (
    <svg className="spark" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={label}>
      <path d={path} />
    </svg>
  );
}
