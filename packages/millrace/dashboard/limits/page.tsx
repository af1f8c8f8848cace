import { Page } from "../ui/page.tsx";
import { Limiters } from "./limiters.tsx";
import { Tenants } from "./tenants.tsx";
import "./limits.css";

export function LimitsPage() {
  return (
    <Page
      title="Limits"
      about="Limits of tenants, and limits for calls of other services. A change applies in all processes at once and survives restarts."
    >
      <Tenants />
      <Limiters />
    </Page>
  );
}
