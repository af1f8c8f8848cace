import type { StoredOperation } from "../../store/verbs/operations/operations.ts";
import type { Admin } from "../admin.ts";

/** Adds the end of an operation to the audit list. */
export async function reportOperation(admin: Admin, operation: StoredOperation): Promise<void> {
  const { id, action, by, tenant, state, done, skipped, failed } = operation;
  const rest = [skipped > 0 && `${skipped} skipped`, failed > 0 && `${failed} refused`].filter(Boolean);
  const counts = [`${done} ${done === 1 ? "job" : "jobs"}`, ...rest].join(", ");
  await admin.audit(by, `operation ${state}: ${action} ${counts}`, {
    target: id,
    ...(tenant !== undefined && { tenant }),
  });
}
