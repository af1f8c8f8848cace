import { Page } from "../ui/page.tsx";
import { Tenants } from "./tenants.tsx";
import "./limits.css";

export function LimitsPage() {
  return (
    <Page title="Limits" about="What tenants may use. A change holds in all processes at once and survives restarts.">
      <Tenants />
    </Page>
  );
}
