export function SitePage(_: { id: string }) {
  return null;
}
