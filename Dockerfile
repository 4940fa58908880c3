# The command line, which runs the mock by default; see docs/guides/mock.md.
FROM node:24-alpine AS build
WORKDIR /src
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts
COPY . .
RUN node scripts/build.ts

FROM node:24-alpine
ENV NODE_ENV=production
WORKDIR /opt/sitepub
COPY package.json package-lock.json .npmrc ./
# The PostgreSQL driver, which is optional elsewhere, in the locked version.
RUN npm pkg set "dependencies.pg=$(npm pkg get devDependencies.pg | tr -d '"')" \
  && npm pkg delete devDependencies.pg \
  && npm ci --omit=dev --ignore-scripts \
  && npm cache clean --force
COPY --from=build /src/dist dist
COPY cli/sitepub.mjs cli/
COPY README.md README.zh-CN.md CHANGELOG.md ./
COPY docs docs
COPY examples examples
USER node
WORKDIR /home/node
EXPOSE 4010
# Not ready while it waits for its database.
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.SITEPUB_PORT || 4010}/_mock/ready`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "/opt/sitepub/cli/sitepub.mjs"]
CMD ["mock", "--host", "0.0.0.0"]
