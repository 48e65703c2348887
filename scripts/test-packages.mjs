// `npm run test:packages [-- name]`: the packages as users get them, closing with one line that counts the tests.
import { runVitest } from "./run-vitest.mjs";

const { passed, failed } = runVitest(
	["--config", "packages/gateway/test/pack/vitest.config.ts"],
	process.argv.slice(2),
);
console.log(`\n${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
