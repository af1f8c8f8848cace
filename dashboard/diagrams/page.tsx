export function DiagramsPage() {
  return null;
}
