import { coverageOf } from "../analysis/coverage.ts";
import { readPage } from "../crawl/page.ts";
import { robotsAllow, robotsWishes } from "../crawl/robots.ts";
import { readSitemap } from "../crawl/sitemap.ts";
import { compareReports } from "../http/compare.ts";
import { digestOf } from "../profile/digest.ts";
import { formPrompts } from "../prompts/form.ts";
import { rewriteReport, writeReport } from "../report/write.ts";

/** What the reading thread does. Each function is pure: it takes and gives plain data. */
export const VERBS = {
  readPage,
  readSitemap,
  robotsWishes,
  robotsAllow,
  digestOf,
  formPrompts,
  coverageOf,
  writeReport,
  rewriteReport,
  compareReports,
};
