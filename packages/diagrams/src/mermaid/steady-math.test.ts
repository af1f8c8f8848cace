// runtimes: both

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { describe, test } from "node:test";
import { steadyMath } from "./steady-math.ts";

const NAMES = ["sin", "cos", "tan", "asin", "acos", "atan"] as const;
const steps = (from: number, to: number) => Array.from({ length: 2001 }, (_, at) => from + ((to - from) * at) / 2000);
const inputs = (name: string) => (name === "asin" || name === "acos" ? steps(-1, 1) : steps(-20, 20));

function assertNear(found: number, wanted: number, what: string): void {
  if (Object.is(found, wanted) || (Number.isNaN(found) && Number.isNaN(wanted))) return;
  assert.ok(Math.abs(found - wanted) <= 1e-15 * Math.max(1, wanted * wanted), `${what}: ${found}, not ${wanted}`);
}

describe("the steady functions", () => {
  test("have the values of the language's", () => {
    for (const name of NAMES)
      for (const x of [...inputs(name), 0, -0, Number.NaN, 1e7, Number.POSITIVE_INFINITY])
        assertNear(steadyMath[name](x), Math[name](x), `${name}(${x})`);
    for (const y of [...steps(-3, 3), 0, -0, Number.POSITIVE_INFINITY])
      for (const x of [-2, -0, 0, 0.5, 1e9, Number.NEGATIVE_INFINITY])
        assertNear(steadyMath.atan2(y, x), Math.atan2(y, x), `atan2(${y}, ${x})`);
    for (const power of [-2, 0, 0.5, 1, 2, 3, 10])
      for (const base of [0.1, 1.5, 7]) {
        const wanted = base ** power;
        assert.ok(Math.abs(steadyMath.pow(base, power) - wanted) <= Math.abs(wanted) * 1e-15, `${base} ** ${power}`);
      }
    assert.equal(steadyMath.hypot(3, 4), 5);
    assert.equal(steadyMath.hypot(), 0);
  });

  test("have the same last digit on every runtime", () => {
    const hash = createHash("sha256");
    for (const name of NAMES) for (const x of inputs(name)) hash.update(String(steadyMath[name](x)));
    for (const x of steps(0.1, 9)) hash.update(`${steadyMath.pow(x, 3)} ${steadyMath.hypot(x, 2)}`);
    assert.equal(hash.digest("hex"), "9f90136c0bc69f48056c344411749060829a2b65bd7f07c0f8e3d9b41c464e27");
  });
});
