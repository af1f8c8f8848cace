import { AppError } from "../../../lib/app-error.ts";

export function replacedError(file: string): AppError {
  return new AppError("store-replaced", `${file} was deleted or replaced while Millrace had it open.`, {
    hint: "Nothing more is stored. Stop all processes that use the store, put its files back or restore a backup, then start again.",
  });
}
