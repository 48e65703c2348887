// `npm run test:clients [-- name] [--quick]`: real coding agents at work through the gateway, closing with one line that
// counts them. Quick: what depends neither on the API nor on the way to Cursor is done with one of them.
import { printTotal, runVitest } from "./run-vitest.mjs";

const args = process.argv.slice(2);
if (args.includes("--quick")) process.env.CURSORWIRE_TEST_QUICK = "1";
const startedAt = Date.now();
const total = runVitest(
	"agent",
	args.filter((arg) => arg !== "--quick"),
);
console.log(`\nran for ${Math.round((Date.now() - startedAt) / 1000)} s`);
printTotal(total);
