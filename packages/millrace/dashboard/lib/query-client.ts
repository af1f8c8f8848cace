import { QueryClient } from "@tanstack/react-query";

/** Apart from data.ts, whose types are published: users of those do not install the package. */
export const queryClient = new QueryClient({
  defaultOptions: { queries: { retry: false, staleTime: 1_000, gcTime: 60_000 }, mutations: { retry: false } },
});
