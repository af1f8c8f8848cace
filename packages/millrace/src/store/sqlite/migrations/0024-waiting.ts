// Pending jobs that wait or are retried, by stage, so that they are counted without a look at the other pending jobs. Jobs that have
// neither failed nor waited have no entry here. The conditions repeat store/waits/counted.ts, because migrations never change.

export const WAITING_COUNTS = `
CREATE INDEX job_waiting ON job (stage, tenant)
  WHERE standing = 0 AND (flags & 67109376 <> 0 OR run_at = 253370764800000);
CREATE INDEX job_retrying ON job (stage, tenant, standing)
  WHERE standing < 3 AND failures + crashes > 0;
`;
