import { printConfig } from "../../config/print.ts";
import { loadConfigOrComplain } from "../load.ts";

export async function configCommand(): Promise<number> {
  const config = loadConfigOrComplain({ listens: false });
  if (config === undefined) return 2;
  process.stdout.write(printConfig(config));
  return 0;
}
