// The processors. They run in the worker.

import { work } from "millrace";
import { digest, welcome } from "./contracts.ts";
import type { SendMail } from "./mail.ts";

/** `sendMail` is a parameter, so that tests can pass their own. */
export function createKinds(sendMail: SendMail) {
  const welcomeKind = work(welcome)
    .stage("write", {
      run: async (_ctx, { name, email }) => ({
        to: email,
        subject: `Welcome, ${name}!`,
        text: `Hello ${name},\n\nit is good to have you here.\n`,
      }),
    })
    .stage("send", {
      processors: 2,
      timeoutMs: 30_000,
      maxAttempts: 5,
      // A step stores its result. If the process crashes after this step, the retry does not send a second mail.
      run: async (ctx, mail) => ({ messageId: await ctx.step("send", () => sendMail(mail)) }),
    });

  const digestKind = work(digest).stage("send", {
    run: async (ctx, { to }) => {
      const mail = { to, subject: "Good morning", text: "This mail comes from a schedule.\n" };
      return { messageId: await ctx.step("send", () => sendMail(mail)) };
    },
  });

  return [welcomeKind, digestKind];
}
