import type { HostTurns } from "./crawl/host-turns.ts";
import type { ModelClient } from "./models/client.ts";
import type { Renderer } from "./render/renderer.ts";
import type { SiteSettings } from "./settings.ts";
import type { EarlierRun } from "./stages/earlier.ts";

export const SITE_KIND = "site";

export interface SiteProgress {
  readonly stage: string;
  /** 0 to 1, within the stage. */
  readonly value: number;
  readonly message: string;
}

export interface SiteDependencies {
  readonly settings: SiteSettings;
  /** Default: the `ai` SDK with the settings' providers. */
  readonly models?: ModelClient;
  /** Runs the scripts of pages that are empty without them. Default: such pages stay empty. */
  readonly renderer?: Renderer;
  /** Whose turn it is at a host, over all runs. Default: each run keeps its own pauses. */
  readonly turns?: HostTurns;
  /** Hears of the progress of a run at once; the store has it a second later. */
  readonly onProgress?: (progress: SiteProgress) => void;
  /** A finished run of the same tenant, for a job that asks only for what that one missed. */
  readonly earlier?: (tenant: string, jobId: string) => Promise<EarlierRun | undefined>;
}
