/** A scraper asks for text/plain or OpenMetrics first; people and programs for JSON or anything. */
export function wantsPrometheus(request: Request): boolean {
  const ranked = (request.headers.get("accept") ?? "")
    .split(",")
    .map((range) => {
      const [type = "", ...parameters] = range.split(";").map((part) => part.trim());
      const q = parameters.find((parameter) => parameter.startsWith("q="));
      return { type: type.toLowerCase(), q: q === undefined ? 1 : Number(q.slice(2)) || 0 };
    })
    .filter(({ q }) => q > 0)
    .sort((a, b) => b.q - a.q);
  const [first] = ranked;
  return first?.type === "text/plain" || first?.type === "application/openmetrics-text";
}
