import { z } from "zod";
import { Moment, Text } from "../common.ts";
import { route } from "../route.ts";

const ViewParams = z.strictObject({ name: Text(100) });

const ViewAddress = Text(2_000)
  .regex(/^\/(?!\/)/)
  .meta({ description: "The address below `/ui`: a page of the dashboard with its filter." });

export const SavedView = z
  .strictObject({
    name: Text(100).meta({ description: "The name, unique within the tenant." }),
    /** The address below `/ui`: a page of the dashboard with its filter. */
    path: ViewAddress,
    updatedAt: Moment.meta({ description: "When it was last saved." }),
  })
  .meta({ id: "SavedView", description: "A page of the dashboard with its filter, under a name." });

export const viewRoutes = {
  list: route({
    method: "GET",
    path: "/views",
    tag: "views",
    summary: "List the tenant's saved views by name, at most 100.",
    access: "read",
    status: 200,
    answer: z.strictObject({ views: z.array(SavedView) }),
  }),
  put: route({
    method: "PUT",
    path: "/views/{name}",
    tag: "views",
    summary: "Save a view, or replace the one of that name.",
    access: "submit",
    params: ViewParams,
    body: z.strictObject({ path: ViewAddress }),
    status: 200,
    answer: SavedView,
    errors: ["conflict"],
    example: { body: { path: "/jobs?status=failed&kind=mail" } },
  }),
  remove: route({
    method: "DELETE",
    path: "/views/{name}",
    tag: "views",
    summary: "Delete a saved view.",
    access: "submit",
    params: ViewParams,
    status: 204,
  }),
};
