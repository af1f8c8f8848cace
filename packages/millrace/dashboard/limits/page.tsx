import { Page } from "../ui/page.tsx";
import { Limiters } from "./limiters.tsx";
import { Tenants } from "./tenants.tsx";
import "./limits.css";

export function LimitsPage() {
  return (
    <Page
      title="Limits"
      about="What tenants may use, and what jobs may take from services of others. A change holds in all processes at once and survives restarts."
    >
      <Tenants />
      <Limiters />
    </Page>
  );
}
