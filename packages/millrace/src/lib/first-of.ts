/** Waits until the work is done, the time is up or `hurry` is aborted, whichever comes first. */
export async function firstOf(work: Promise<void>, ms: number, hurry?: AbortSignal): Promise<void> {
  if (hurry?.aborted) return;
  let finish = () => {};
  const enough = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const timer = setTimeout(finish, ms);
  hurry?.addEventListener("abort", finish, { once: true });
  await Promise.race([work, enough]);
  clearTimeout(timer);
  hurry?.removeEventListener("abort", finish);
}
