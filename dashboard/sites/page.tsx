export function SitesPage() {
  return null;
}
