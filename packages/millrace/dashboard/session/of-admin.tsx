import type { ReactNode } from "react";
import { type SessionScope, useMay } from "../lib/data.ts";
import { Empty, Page } from "../ui/page.tsx";

interface OfAdminProps {
  title: string;
  scope?: SessionScope;
  children: ReactNode;
}

/** A page for administrators only. Other users who open its address see a notice. */
export function OfAdmin({ title, scope = "admin", children }: OfAdminProps) {
  if (useMay()(scope)) return children;
  return (
    <Page title={title}>
      <section className="panel">
        <Empty title="This page is only for the administrator.">
          {scope === "root" ? "It shows data of all tenants." : "It needs a key with the scope admin."}
        </Empty>
      </section>
    </Page>
  );
}
