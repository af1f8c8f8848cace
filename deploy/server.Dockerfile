# The server with dashboard, diagrams and sites, from a clone of the repository:
#
#   docker build -f deploy/server.Dockerfile -t millrace .
#   docker run --init -p 127.0.0.1:3000:3000 -e API_KEY=… -v millrace:/data millrace

FROM node:24-bookworm-slim AS pack
WORKDIR /src
COPY . .
# The packages as npm would publish them, and nothing else of the repository.
RUN npm ci && mkdir /packed \
  && npm pack --workspace millrace --workspace @millrace/diagrams --workspace @millrace/sites --pack-destination /packed

FROM node:24-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 JOB_DB_PATH=/data/jobs.db LOG_FORMAT=json
WORKDIR /app
COPY --from=pack /packed /packed
# "millrace.load" names the workloads that every command loads.
RUN echo '{ "private": true, "type": "module", "millrace": { "load": ["millrace/text", "@millrace/diagrams/workload", "@millrace/sites/workload"] } }' > package.json \
  && npm install --omit=dev --no-audit --no-fund /packed/*.tgz pg \
  && npm cache clean --force && rm -r /packed \
  && mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 3000
# Node answers SIGTERM itself: it finishes or hands back what runs, then exits with 0.
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=20s --retries=6 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:'+process.env.PORT+'/health').then((r)=>process.exit(r.ok?0:1),()=>process.exit(1))"]
ENTRYPOINT ["node", "node_modules/millrace/bin/millrace.js"]
CMD ["serve"]
