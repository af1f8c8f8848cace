import type { Context } from "millrace";
import type { SitePassage } from "../analysis/passages.ts";
import type { SiteProfile } from "../api/shapes.ts";
import { type Crawl, crawlSite } from "../crawl/crawl.ts";
import type { KeptPage } from "../crawl/page.ts";
import type { SiteDependencies } from "../dependencies.ts";
import { type SitePayload, siteUrl } from "../payload.ts";
import type { SiteDigest } from "../profile/digest.ts";
import { reading } from "../reading/reading.ts";
import { turnMs } from "../settings.ts";
import { earlierRun } from "./earlier.ts";

export interface ReadSite {
  profile: SiteProfile;
  passages: SitePassage[];
}

/** Stage 1: the pages, one step each, and what they say. */
export async function readSite(
  ctx: Context<SitePayload>,
  { settings, earlier, renderer, turns }: SiteDependencies,
): Promise<ReadSite> {
  const before = await earlierRun(ctx, earlier);
  if (before) return { profile: before.report.profile, passages: before.passages };
  const { payload } = ctx;
  const url = siteUrl(payload.url);
  const crawl = await crawlSite(
    ctx,
    { url, maxPages: payload.maxPages, ownSite: payload.ownSite },
    {
      policy: settings.policy,
      gapMs: settings.pageGapMs,
      turnMs: turnMs(settings.stuckAfterMs),
      ...(renderer && { renderer }),
      ...(turns && { turns }),
      ...(settings.fetchLimits && { limits: settings.fetchLimits }),
    },
  );
  const digest = () =>
    reading.call(
      "digestOf",
      [withoutLinks(crawl), { url, brand: payload.brand, language: payload.language }],
      ctx.signal,
    );
  let fresh: SiteDigest | undefined;
  // Kept as a step too, so that it can be seen while the later stages run.
  const profile = await ctx.step("profile", async () => {
    fresh = await digest();
    return fresh.profile;
  });
  ctx.log.info("site read", {
    pages: profile.coverage.fetched,
    skipped: profile.coverage.skipped.length,
    brand: profile.brand.name,
  });
  ctx.progress(1, `${profile.coverage.fetched} pages read`);
  return { profile, passages: (fresh ?? (await digest())).passages };
}

/** They have led where they lead, and need not cross to the thread. */
function withoutLinks(crawl: Crawl): Crawl {
  const bare = (page: KeptPage) => ({ ...page, links: [] });
  return { ...crawl, home: bare(crawl.home), pages: crawl.pages.map(bare) };
}
