# An application of your own that uses Millrace. Copy it into your project as Dockerfile.
# It expects package.json with a lockfile, and the program in src/.

FROM node:24-bookworm-slim AS install
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --no-audit --no-fund

FROM node:24-bookworm-slim
ENV NODE_ENV=production
WORKDIR /app
COPY --from=install /app/node_modules ./node_modules
COPY package.json ./
COPY src ./src
# SQLite only: the folder of the file. With PostgreSQL the container keeps no data.
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 3000
STOPSIGNAL SIGTERM
# In exec form, so that your program gets SIGTERM and can call millrace.stop(). Start it with --init if you use isolated stages.
CMD ["node", "src/app.ts"]
