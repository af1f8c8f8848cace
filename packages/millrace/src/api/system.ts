// The routes of operators. Each file has the shapes of its own routes.

import { healthRoutes } from "./health.ts";
import { kindRoutes } from "./kinds.ts";
import { sharedLimitRoutes } from "./limits/shared.ts";
import { metricsRoutes } from "./metrics.ts";
import { poolRoutes } from "./pools.ts";
import { scheduleRoutes } from "./schedules.ts";

/** Named, so that the declarations of the package do not spell out the types of zod. */
type SystemRoutes = typeof healthRoutes &
  typeof metricsRoutes &
  typeof kindRoutes &
  typeof poolRoutes &
  typeof sharedLimitRoutes &
  typeof scheduleRoutes;

export const systemRoutes: SystemRoutes = {
  ...healthRoutes,
  ...metricsRoutes,
  ...kindRoutes,
  ...poolRoutes,
  ...sharedLimitRoutes,
  ...scheduleRoutes,
};
