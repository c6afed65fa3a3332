# The API process. Built from the root of the repository:
#
#   docker build -f docker/api.Dockerfile -t loam-api .

# Node 22 is a long-term release that CI tests; Debian has the C library that compiled dependencies are made for.
FROM node:22-bookworm-slim AS build
WORKDIR /loam
COPY package.json pnpm-lock.yaml pnpm-workspace.yaml .npmrc ./
# From the lockfile alone, so that this layer lasts until a dependency changes.
RUN npm install --global "$(node --print "require('./package.json').packageManager")" \
  && pnpm fetch
COPY . .
RUN pnpm install --frozen-lockfile --offline
RUN pnpm exec tsc -b apps/api/tsconfig.lib.json
# Injected, workspace packages are copied with their production dependencies, in the versions of the lockfile.
RUN pnpm --config.inject-workspace-packages=true --filter @loam/api deploy --prod --offline /app

FROM node:22-bookworm-slim
LABEL org.opencontainers.image.title="loam-api" \
  org.opencontainers.image.description="The deployable Loam API process" \
  org.opencontainers.image.licenses="MIT"
ENV NODE_ENV=production LOAM_HOST=0.0.0.0 LOAM_PORT=7420
WORKDIR /app
COPY --from=build /app ./
# The image's user "node", as a number, so that Kubernetes can tell that it is not root.
USER 1000:1000
EXPOSE 7420
HEALTHCHECK --interval=5s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "--eval", "fetch(`http://127.0.0.1:${process.env.LOAM_PORT}/health/ready`).then(({ ok }) => process.exit(ok ? 0 : 1))"]
CMD ["node", "dist/main.js"]
