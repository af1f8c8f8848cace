// What a submission in a caller's transaction writes beside its job. A row of a shared table would be locked until that
// transaction ends, so these tables have no key that two submissions could meet in.

export const WITHIN = `
CREATE TABLE millrace.window_caller (owner integer NOT NULL, at bigint NOT NULL, count integer NOT NULL);
CREATE INDEX window_caller_owner ON millrace.window_caller (owner, at);

CREATE TABLE millrace.joined (job bigint NOT NULL);
CREATE INDEX joined_job ON millrace.joined (job);
`;
