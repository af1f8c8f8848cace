import { jobShapesOf, shapesOf } from "millrace/shapes";
import { z } from "zod";

export const { JobId, JobIdInPath, Moment, QueryInt, submissionOptions, Tag, Tenant, Text } = shapesOf(z);
export const { Job } = jobShapesOf(z, { JobId, Moment });
