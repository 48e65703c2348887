// `npm run test:packages [-- name]`: the packages as users get them, closing with one line that counts the tests.
import { printTotal, runVitest } from "./run-vitest.mjs";

const total = runVitest("pack", process.argv.slice(2));
console.log();
printTotal(total);
