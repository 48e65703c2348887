// Starts Portkey's gateway as a peer: `node bench/peers/portkey.mjs <folder>`, where
// `npm install @portkey-ai/gateway@1.15.2` was run in the folder.
import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const { BENCH_FOLDER, BENCH_OPENAI, BENCH_PORT } = process.env;
const headers = { "x-portkey-provider": "openai", "x-portkey-custom-host": BENCH_OPENAI };
writeFileSync(join(BENCH_FOLDER, "client.json"), JSON.stringify({ headers }));
// It adds headers to the reply that it fetched, which Node does not allow. So it gets a copy.
const { fetch, Response } = globalThis;
globalThis.fetch = async (...request) => {
	const { body, status, headers: immutable } = await fetch(...request);
	return new Response(body, { status, headers: new Headers(immutable) });
};
const program = resolve(process.argv[2], "node_modules/@portkey-ai/gateway/build/start-server.js");
process.argv.splice(1, 2, program, `--port=${BENCH_PORT}`, "--headless");
await import(pathToFileURL(program));
