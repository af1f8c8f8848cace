// The routes of tracks.

import { route } from "millrace/shapes";
import { z } from "zod";
import { Track, TrackName, TrackRequest, TrackSummary } from "./track-shapes.ts";

const TrackParams = z.strictObject({ name: TrackName });
const exampleTrack = { url: "example.com", prompts: ["Which bakery in Bristol bakes rye bread?"], every: "7d" };

export const trackRoutes = {
  putTrack: route({
    method: "PUT",
    path: "/sites/tracks/{name}",
    tag: "sites",
    summary: "Run a site again and again with the same prompts. The first run starts at once.",
    access: "submit",
    params: TrackParams,
    body: TrackRequest,
    status: 200,
    answer: Track,
    errors: ["conflict"],
    example: { body: exampleTrack },
  }),
  tracks: route({
    method: "GET",
    path: "/sites/tracks",
    tag: "sites",
    summary: "All tracks, by name, without their trends.",
    access: "read",
    status: 200,
    answer: z.strictObject({ tracks: z.array(TrackSummary) }),
  }),
  track: route({
    method: "GET",
    path: "/sites/tracks/{name}",
    tag: "sites",
    summary: "A track with its trend and its changes.",
    access: "read",
    params: TrackParams,
    status: 200,
    answer: Track,
    errors: ["not-found"],
  }),
  deleteTrack: route({
    method: "DELETE",
    path: "/sites/tracks/{name}",
    tag: "sites",
    summary: "Delete a track with its trend. Its runs and reports are kept.",
    access: "submit",
    params: TrackParams,
    status: 204,
    errors: ["not-found"],
  }),
};
