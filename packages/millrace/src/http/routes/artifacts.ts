import { jobRoutes } from "../../api/job.ts";
import { AppError } from "../../lib/app-error.ts";
import { artifactResponse } from "../artifact-response.ts";
import { lookingAt } from "../auth/caller.ts";
import type { Engine } from "../engine.ts";
import { type BoundRoute, bind } from "../request/bind.ts";
import { findJob } from "./jobs.ts";

export function artifactHandlers(engine: Engine): BoundRoute[] {
  return [
    bind(jobRoutes.artifacts, async ({ params, caller }) => {
      const { jobId } = await findJob(engine, params.jobId, caller);
      return { body: { artifacts: await engine.artifacts(jobId) } };
    }),

    bind(jobRoutes.artifact, async ({ params, query, caller, request, basePath }) => {
      const { jobId } = await findJob(engine, params.jobId, lookingAt(caller, query.tenant));
      const artifact = await engine.artifact(jobId, params.name);
      if (artifact) return artifactResponse(request, artifact);
      throw new AppError("not-found", `Job ${jobId} has no artifact "${params.name.slice(0, 100)}".`, {
        hint: `GET ${basePath}/jobs/${jobId}/artifacts lists them.`,
      });
    }),
  ];
}
