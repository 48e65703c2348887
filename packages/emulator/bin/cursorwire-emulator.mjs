#!/usr/bin/env node
import { existsSync } from "node:fs";

// A packed install carries dist/; a checkout runs its TypeScript directly, without a build step.
const built = new URL("../dist/main.js", import.meta.url);
if (existsSync(built)) {
	await import(built.href);
} else {
	const { register } = await import("tsx/esm/api");
	register();
	await import("../src/main.ts");
}
