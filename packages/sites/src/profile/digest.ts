import { passagesOf, type SitePassage } from "../analysis/passages.ts";
import type { SiteProfile } from "../api/shapes.ts";
import type { Crawl } from "../crawl/crawl.ts";
import { type ProfileRequest, profileOf, withoutRefrain } from "./profile.ts";

export interface SiteDigest {
  profile: SiteProfile;
  passages: SitePassage[];
}

/** What stage 1 hands on: the profile, and the site's own text. */
export function digestOf(crawl: Crawl, request: ProfileRequest): SiteDigest {
  return { profile: profileOf(crawl, request), passages: passagesOf(withoutRefrain(crawl.pages)) };
}
