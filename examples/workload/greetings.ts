// A workload of your own: a kind, two routes with a scope, an event, a setting, a command and a page in the dashboard.
// millrace serve --load examples/workload/greetings.ts

import { AppError, defineKind } from "millrace";
import { bind, defineWorkload, integer, oneTenant, route, setting } from "millrace/workload";
import { z } from "zod";

const Greeting = z.strictObject({ name: z.string().min(1).max(100) });

const greetings = {
  greet: route({
    method: "POST",
    path: "/greetings",
    tag: "greetings",
    summary: "Greet somebody in the background.",
    access: "greetings:write",
    body: Greeting,
    status: 202,
    answer: z.strictObject({ jobId: z.string() }),
    errors: ["name-refused"],
    example: { body: { name: "Ada" } },
  }),
  list: route({
    method: "GET",
    path: "/greetings",
    tag: "greetings",
    summary: "The latest greetings.",
    access: "read",
    status: 200,
    answer: z.strictObject({
      greetings: z.array(z.strictObject({ jobId: z.string(), name: z.string(), text: z.string().optional() })),
    }),
  }),
};

export default defineWorkload({
  name: "greetings",
  settings: {
    greetingDelayMs: setting("GREETING_DELAY_MS", integer({ min: 0, max: 60_000 }), 0, "Pause before a greeting."),
  },
  kinds: ({ settings }) => [
    defineKind({
      name: "greeting",
      payload: Greeting,
      run: async (_ctx, { name }) => {
        await new Promise((resolve) => setTimeout(resolve, settings.greetingDelayMs));
        return { text: `Hello, ${name}!` };
      },
    }),
  ],
  errors: { "name-refused": { status: 422, when: "Nobody is called that." } },
  routes: ({ engine, emit }) => [
    bind(greetings.greet, async ({ body, caller, traceId }) => {
      if (body.name === "nobody") throw new AppError("name-refused", "Nobody is called nobody.");
      const tenant = oneTenant(caller);
      const { jobs } = await engine.submitRequests({
        tenant,
        requests: [{ kind: "greeting", payload: body, options: { traceId } }],
      });
      const jobId = jobs[0]?.jobId ?? "";
      emit("greeted", { jobId, name: body.name }, { tenant });
      return { body: { jobId } };
    }),
    bind(greetings.list, async ({ caller }) => {
      const whose = caller.tenant === "*" ? {} : { tenant: caller.tenant };
      const jobs = await engine.list({ kind: "greeting", limit: 20, ...whose });
      return {
        body: {
          greetings: jobs.map(({ jobId, payload, result }) => ({
            jobId,
            ...(payload as { name: string }),
            ...(result as { text: string } | undefined),
          })),
        },
      };
    }),
  ],
  scopes: { "greetings:write": "greet people" },
  events: { greeted: z.strictObject({ jobId: z.string(), name: z.string() }) },
  pages: {
    module: new URL("./page.js", import.meta.url),
    nav: [{ path: "/greetings", title: "Greetings", icon: "M3 3.5h10v7H8l-3 2.5v-2.5H3z", scope: "greetings:write" }],
  },
  commands: [{ name: "greet", summary: "greet somebody", load: () => import("./greet-command.ts") }],
});
