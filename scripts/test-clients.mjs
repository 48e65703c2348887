// `npm run test:clients [-- name]`: real coding agents at work through the gateway, closing with one line that counts them.
import { runVitest } from "./run-vitest.mjs";

const startedAt = Date.now();
const { passed, failed } = runVitest([
	"--config",
	"packages/gateway/test/agents/vitest.config.ts",
	...process.argv.slice(2),
]);
console.log(`\nran for ${Math.round((Date.now() - startedAt) / 1000)} s`);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
