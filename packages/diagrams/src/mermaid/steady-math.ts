// Sines and the like that are the same on every runtime and machine. The language leaves their last digit to the engine, V8 and
// JavaScriptCore choose differently, and a layout by forces makes of a last digit another picture. Sums, products, quotients and
// roots are the same everywhere, so these are made of nothing else. Right to within 1e-15 or so.

// A quarter turn in three parts, so that a multiple of it can be taken off without loss.
const QUARTER = [1.570_796_326_734_125_6, 6.077_100_506_303_966e-11, 2.022_266_248_795_950_6e-21] as const;
const HALF_PI = Math.PI / 2;
// Beyond it the parts above are too short. No diagram turns so often.
const MAX_ANGLE = 100_000;
const MAX_POWER = 64;

/** In place of the functions of `Math` of the same names. */
export const steadyMath = {
  sin: (angle: number) => turn(angle, 0) ?? Math.sin(angle),
  cos: (angle: number) => turn(angle, 1) ?? Math.cos(angle),
  tan: (angle: number) => steadyMath.sin(angle) / steadyMath.cos(angle),
  asin: (value: number) => steadyMath.atan2(value, Math.sqrt((1 - value) * (1 + value))),
  acos: (value: number) => steadyMath.atan2(Math.sqrt((1 - value) * (1 + value)), value),
  atan: (value: number) => steadyMath.atan2(value, 1),
  atan2(y: number, x: number): number {
    // Axes, infinities and nothing have values of their own, which all engines agree on.
    if (!Number.isFinite(x) || !Number.isFinite(y) || x === 0 || y === 0) return Math.atan2(y, x);
    const [a, b] = [Math.abs(y), Math.abs(x)];
    const angle = a <= b ? arc(a / b) : HALF_PI - arc(b / a);
    const turned = x > 0 ? angle : Math.PI - angle;
    return y > 0 ? turned : -turned;
  },
  hypot(...sides: number[]): number {
    let sum = 0;
    for (const side of sides) sum += side * side;
    return Math.sqrt(sum);
  },
  pow(base: number, power: number): number {
    if (!Number.isInteger(power) || Math.abs(power) > MAX_POWER) return base ** power;
    let [product, square] = [1, base];
    for (let left = Math.abs(power); left > 0; left = Math.floor(left / 2)) {
      if (left % 2 === 1) product *= square;
      square *= square;
    }
    return power < 0 ? 1 / product : product;
  },
};

/** The sine of `angle` and `quarters` quarter turns; undefined where it cannot be had this way. */
function turn(angle: number, quarters: number): number | undefined {
  if (!(Math.abs(angle) < MAX_ANGLE)) return undefined;
  const turns = Math.round(angle / HALF_PI);
  const rest = angle - turns * QUARTER[0] - turns * QUARTER[1] - turns * QUARTER[2];
  const at = (((turns + quarters) % 4) + 4) % 4;
  const value = at % 2 === 0 ? sineOfSmall(rest) : cosineOfSmall(rest);
  return at < 2 ? value : -value;
}

/** Taylor's series, from its small end; the angle is at most an eighth of a turn. */
function sineOfSmall(x: number): number {
  const square = x * x;
  let sum = 0;
  for (let n = 17; n >= 3; n -= 2) sum = (square * (1 - sum)) / (n * (n - 1));
  return x - x * sum;
}

function cosineOfSmall(x: number): number {
  const square = x * x;
  let sum = 0;
  for (let n = 18; n >= 2; n -= 2) sum = (square * (1 - sum)) / (n * (n - 1));
  return 1 - sum;
}

/** The angle whose tangent is `value`, between 0 and 1: halved twice, then the series. */
function arc(value: number): number {
  const half = value / (1 + Math.sqrt(1 + value * value));
  const small = half / (1 + Math.sqrt(1 + half * half));
  const square = small * small;
  let sum = 0;
  for (let n = 25; n >= 3; n -= 2) sum = square * (1 / n - sum);
  return 4 * (small - small * sum);
}
