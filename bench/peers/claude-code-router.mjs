// Starts claude-code-router as a peer: `node bench/peers/claude-code-router.mjs <folder>`, where
// `npm install @musistudio/claude-code-router@1.0.73` was run in the folder.
import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const { BENCH_FOLDER, BENCH_KEY, BENCH_OPENAI, BENCH_PORT } = process.env;
const provider = {
	name: "bench",
	api_base_url: `${BENCH_OPENAI}/chat/completions`,
	api_key: BENCH_KEY,
	models: ["auto"],
};
const settings = {
	HOST: "127.0.0.1",
	PORT: Number(BENCH_PORT),
	APIKEY: BENCH_KEY,
	LOG: false,
	Providers: [provider],
	Router: { default: "bench,auto" },
};
const home = join(BENCH_FOLDER, ".claude-code-router");
mkdirSync(home);
writeFileSync(join(home, "config.json"), JSON.stringify(settings));
writeFileSync(join(BENCH_FOLDER, "client.json"), JSON.stringify({ model: "bench,auto" }));
process.env.HOME = BENCH_FOLDER;
const program = resolve(process.argv[2], "node_modules/@musistudio/claude-code-router/dist/cli.js");
process.argv.splice(1, 2, program, "start");
await import(pathToFileURL(program));
