// The routes of operators. Each file has the shapes of its own routes.

import { healthRoutes } from "./health.ts";
import { kindRoutes } from "./kinds.ts";
import { metricsRoutes } from "./metrics.ts";
import { poolRoutes } from "./pools.ts";
import { scheduleRoutes } from "./schedules.ts";

export const systemRoutes = { ...healthRoutes, ...metricsRoutes, ...kindRoutes, ...poolRoutes, ...scheduleRoutes };
