# The loam command, such as `loam migrate`. Built from the root of the repository:
#
#   docker build -f docker/cli.Dockerfile -t loam-cli .

# Node 22 is a long-term release that CI tests; Debian has the C library that compiled dependencies are made for.
FROM node:22-bookworm-slim AS build
WORKDIR /loam
COPY package.json pnpm-lock.yaml pnpm-workspace.yaml .npmrc ./
# From the lockfile alone, so that this layer lasts until a dependency changes.
RUN npm install --global "$(node --print "require('./package.json').packageManager")" \
  && pnpm fetch
COPY . .
RUN pnpm install --frozen-lockfile --offline
RUN pnpm exec tsc -b apps/cli/tsconfig.lib.json
# Injected, workspace packages are copied with their production dependencies, in the versions of the lockfile.
RUN pnpm --config.inject-workspace-packages=true --filter @loam/cli deploy --prod --offline /app

FROM node:22-bookworm-slim
LABEL org.opencontainers.image.title="loam-cli" \
  org.opencontainers.image.description="The loam command: migrate, import, search, doctor" \
  org.opencontainers.image.licenses="MIT"
ENV NODE_ENV=production
WORKDIR /app
COPY --from=build /app ./
# The image's user "node", as a number, so that Kubernetes can tell that it is not root.
USER 1000:1000
ENTRYPOINT ["node", "bin/loam.js"]
CMD ["--help"]
