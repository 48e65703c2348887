# The gateway from this checkout, as the packages that are published: docs/deploy.md says how to use it.
FROM node:24-bookworm-slim AS build
WORKDIR /source
COPY . .
RUN node scripts/install.mjs \
	&& npm run build \
	&& mkdir /packed \
	&& npm pack --pack-destination /packed ./dist/cursorwire ./dist/cursorwire-emulator

FROM node:24-bookworm-slim
COPY --from=build /packed /packed
RUN npm install --global --ignore-scripts --no-audit --no-fund /packed/*.tgz \
	&& npm cache clean --force \
	&& rm -r /packed \
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
