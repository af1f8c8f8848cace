import type { OptionBag } from "../../lib/options/check.ts";
import { anything, callable, onOff, word } from "../../lib/options/option.ts";
import { SUBMISSION, SUBMIT_OPTIONS } from "./submit-options.ts";

// The tenant is the parent's, and the stored list takes the place of an idempotency key.
const { tenant: _tenant, idempotencyKey: _key, ...options } = SUBMIT_OPTIONS;

export const CHILD_SUBMISSION: OptionBag = { ...SUBMISSION, what: "ctx.submit()", options };

export const CHILD: OptionBag = {
  ...SUBMISSION,
  what: "ctx.runChild()",
  options: { ...options, ifChildFails: word("fail", "wait"), undo: anything() },
};

export const CHILDREN: OptionBag = {
  ...SUBMISSION,
  what: "ctx.runChildren()",
  options: {
    ...options,
    key: callable(),
    ifChildFails: word("fail", "collect", "wait"),
    results: onOff(),
    undo: anything(),
  },
};
