const NODE_IMAGE = { image: "node:24-slim", runtime: "node", user: "node" };

/** What differs between package managers in the README, the Dockerfile and compose.yaml. */
const WORDS = {
  npm: {
    ...NODE_IMAGE,
    run: "npm run",
    install: "npm install",
    lockfile: "package-lock.json",
    imageInstall: "npm ci --omit=dev",
    upgrade: "npm update millrace",
  },
  pnpm: {
    ...NODE_IMAGE,
    run: "pnpm run",
    install: "pnpm install",
    lockfile: "pnpm-lock.yaml",
    imageInstall: "npm install --global pnpm && pnpm install --prod --frozen-lockfile",
    upgrade: "pnpm update millrace",
  },
  bun: {
    image: "oven/bun:1.4-slim",
    runtime: "bun",
    user: "bun",
    run: "bun run",
    install: "bun install",
    lockfile: "bun.lock",
    imageInstall: "bun install --production --frozen-lockfile",
    upgrade: "bun update millrace",
  },
};

const DATABASE_NOTES = {
  sqlite: `
Jobs are stored in \`data/jobs.db\`, which all processes on this machine share. For several machines, create the project
with \`--db postgres\`, or replace \`src/store.ts\`.
`,
  postgres: `
\`docker compose up -d db\` starts a PostgreSQL for development. To use another one, set \`DATABASE_URL\` in \`.env\`.
`,
};

/** @param {{ packageManager: string, db: string }} choices */
export function wordsFor({ packageManager, db }) {
  return { ...WORDS[packageManager], databaseNotes: DATABASE_NOTES[db] };
}
