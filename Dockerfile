# The gateway from this checkout, as the packages that are published: docs/deploy.md says how to use it.
FROM node:24-bookworm-slim AS build
WORKDIR /source
# What is installed depends on these files alone: a change of the sources does not install anything again.
COPY package.json package-lock.json .npmrc ./
COPY packages/protocol/package.json packages/protocol/
COPY packages/emulator/package.json packages/emulator/
COPY packages/gateway/package.json packages/gateway/
COPY packages/opencode/package.json packages/opencode/
COPY packages/page/package.json packages/page/
COPY scripts/install.mjs scripts/
COPY scripts/dependencies/lock.mjs scripts/dependencies/
RUN node scripts/install.mjs
COPY LICENSE tsconfig.json ./
COPY scripts scripts
COPY packages packages
RUN npm run build \
	&& mkdir /packed \
	&& npm pack --pack-destination /packed ./dist/cursorwire ./dist/cursorwire-emulator

FROM node:24-bookworm-slim
# Mounted, not copied: the image keeps what is installed, and neither the packed files nor a cache.
RUN --mount=type=bind,from=build,source=/packed,target=/packed \
	npm install --global --ignore-scripts --no-audit --no-fund /packed/*.tgz \
	&& rm -rf /root/.npm \
	&& install -d -o node -g node -m 700 /data
# Inside a container every address is its own; who reaches it from outside is decided by what is published.
# There is no keychain: the vault is a file in the volume.
ENV NODE_ENV=production \
	CURSORWIRE_HOST=0.0.0.0 \
	CURSORWIRE_ALLOW_REMOTE=1 \
	CURSORWIRE_DATA_DIR=/data \
	CURSORWIRE_VAULT=file \
	CURSORWIRE_OPEN_BROWSER=0
USER node
WORKDIR /data
VOLUME /data
EXPOSE 4280
HEALTHCHECK --interval=30s --timeout=5s --start-period=10s \
	CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.CURSORWIRE_PORT || 4280) + '/healthz').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["cursorwire"]
CMD ["serve"]
