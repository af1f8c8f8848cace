import { definePages } from "millrace/dashboard";
import { SiteNote, SiteResult } from "./job.tsx";
import { SitePage } from "./site.tsx";
import { SitesPage } from "./sites.tsx";
import { TrackPage } from "./tracks.tsx";
import "./sites.css";

export default definePages({
  pages: { "/sites": SitesPage, "/sites/{id}": SitePage, "/sites/tracks/{id}": TrackPage },
  results: { site: SiteResult },
  notes: { site: SiteNote },
});
