export function PoolsPage() {
  return null;
}
