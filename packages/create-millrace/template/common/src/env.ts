/** The value of an environment variable. Ends the process with one sentence if it is not set. */
export function required(name: string): string {
  const value = process.env[name];
  if (value) return value;
  console.error(`${name} is not set. Copy .env.example to .env and set it there.`);
  process.exit(1);
}
