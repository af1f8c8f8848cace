import { randomUUID } from "node:crypto";

export interface Mail {
  to: string;
  subject: string;
  text: string;
}

/** Sends a mail and resolves to its message id. */
export type SendMail = (mail: Mail) => Promise<string>;

/** Prints the mail. Replace this with a call to your mail provider. */
export const printMail: SendMail = async ({ to, subject }) => {
  console.log(`Mail to ${to}: ${subject}`);
  return randomUUID();
};
