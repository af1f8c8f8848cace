// An isolated processor that asks for a transaction.

import type { Context } from "millrace/processor";

export default (ctx: Context) => ctx.transaction("book", {}, () => 1);
