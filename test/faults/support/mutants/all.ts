// All seeded bugs. Those of list.ts are caught by the fault tests; for the others the test that was written with the repair must fail.

import { ATTACK_MUTANTS } from "./attacks.ts";
import { AUDIT_MUTANTS } from "./audit.ts";
import { DEPLOYMENT_MUTANTS } from "./deployments.ts";
import { FAMILY_MUTANTS } from "./families.ts";
import { MUTANTS, type Mutant } from "./list.ts";
import { OUTBOX_MUTANTS } from "./outboxes.ts";

export const ALL_MUTANTS: readonly Mutant[] = [
  ...MUTANTS,
  ...DEPLOYMENT_MUTANTS,
  ...ATTACK_MUTANTS,
  ...AUDIT_MUTANTS,
  ...OUTBOX_MUTANTS,
  ...FAMILY_MUTANTS,
];
