import type { TrackChange } from "../api/track-shapes.ts";
import { fetchGuarded } from "../fetch/fetch.ts";
import type { FetchPolicy } from "../fetch/target.ts";

/** A change of a track's figures outside the noise. */
export interface SiteChange extends TrackChange {
  /** The name of the track. */
  readonly track: string;
  /** The tenant of the track. */
  readonly tenant: string;
  /** The site. */
  readonly url: string;
}

const ALERT_LIMITS = { headersMs: 10_000, totalMs: 15_000, maxBytes: 1_000, maxRedirects: 0 };

/** One POST to an address that passes the same checks as a site. A redirect is not followed. Throws if it is not answered with 2xx. */
export async function postAlert(
  url: string,
  change: SiteChange,
  policy: FetchPolicy,
  signal: AbortSignal,
): Promise<void> {
  const { status } = await fetchGuarded(url, {
    policy,
    signal,
    limits: ALERT_LIMITS,
    follow: () => false,
    post: { type: "application/json", body: JSON.stringify({ event: "siteChanged", ...change }) },
  });
  if (status < 200 || status > 299) throw new Error(`The alert address answered ${status}.`);
}
