// Rows of plans that nothing refers to are deleted. `plans` are the ids of the plans that a process registered, as JSON: it may choose
// one of them for a new job. A process of an older release leaves it NULL, and while one lives no row is deleted.

export const UNUSED_PLANS = `
ALTER TABLE instance ADD COLUMN plans TEXT;
ALTER TABLE plan ADD COLUMN unused_since INTEGER;
`;
