// A process that books orders in `ctx.transaction()`. It kills itself at one statement of its own transactions, before or after the
// statement is sent.

import { Millrace, postgres } from "millrace";
import pg from "pg";
import { bookingOn } from "./kinds.ts";

const [, , url = "", order, at, when] = process.argv;
const pool = new pg.Pool({ connectionString: url, max: 2 });
// None at first: the statements before its first order belong to none, and `order` may name no order.
let inOrder: number | undefined;
let statements = 0;

/** Statements after the first of the work itself: those of Millrace, and the commit. */
function killAtStatement(): void {
  const { query } = pg.Client.prototype as unknown as { query: (...args: unknown[]) => unknown };
  Object.assign(pg.Client.prototype, {
    query(this: unknown, ...args: unknown[]) {
      const isLast = inOrder === Number(order) && statements++ === Number(at);
      if (isLast && when === "before") process.kill(process.pid, "SIGKILL");
      const answer = query.apply(this, args);
      // The statement is on its way by then, and may or may not arrive.
      if (isLast) setTimeout(() => process.kill(process.pid, "SIGKILL"), Math.random() * 3);
      return answer;
    },
  });
}

const booking = bookingOn(pool, (order) => {
  inOrder = order;
  statements = 0;
});
killAtStatement();
await Millrace.open({ store: postgres(url), kinds: [booking], log: false, leaseMs: 3_000 });
console.log("ready");
