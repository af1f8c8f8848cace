/** Why a step cannot be stored: another value stands under its name. */
export function stepNameReused(name: string): { readonly code: "step-name-reused"; readonly message: string } {
  return { code: "step-name-reused", message: `The step "${name}" is already stored.` };
}
