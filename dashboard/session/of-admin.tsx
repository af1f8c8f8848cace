import type { ReactNode } from "react";
import { useMay } from "../lib/data.ts";
import { Empty, Page } from "../ui/page.tsx";

/** A page that only an administrator sees; others who come by its address are told so. */
export function OfAdmin({ title, children }: { title: string; children: ReactNode }) {
  if (useMay()("admin")) return children;
  return (
    <Page title={title}>
      <section className="panel">
        <Empty title="This page is the administrator's.">It needs a key with the scope admin.</Empty>
      </section>
    </Page>
  );
}
