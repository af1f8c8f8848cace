import { z } from "zod";
import { shapesOf } from "./shapes-of.ts";

export { YEAR_MS } from "./shapes-of.ts";

export const {
  JobId,
  JobIdInPath,
  JobIds,
  Moment,
  Name,
  Text,
  Tag,
  Tenant,
  Milliseconds,
  QueryInt,
  QueryIds,
  QueryBool,
  submissionOptions,
} = shapesOf(z);
