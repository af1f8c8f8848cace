// Parallel to SQLite's: which plans a process registered, and since when nothing refers to a plan.

export const UNUSED_PLANS = `
ALTER TABLE millrace.instance ADD COLUMN plans text;
ALTER TABLE millrace.plan ADD COLUMN unused_since bigint;
`;
