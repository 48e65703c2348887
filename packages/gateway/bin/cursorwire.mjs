#!/usr/bin/env node
// This file has to load on old versions of Node, to say that they are too old: no import statements, no top-level await.

async function start() {
	const { existsSync } = await import("node:fs");
	// A packed install carries dist/; a checkout runs its TypeScript directly, without a build step.
	const built = new URL("../dist/main.js", import.meta.url);
	if (existsSync(built)) {
		await keepCompiled(new URL("../.cache", import.meta.url));
		await import(built.href);
	} else {
		const { register } = await import("tsx/esm/api");
		register();
		await import("../src/main.ts");
	}
}

/**
 * Node 22.8 and newer can keep what they have compiled. Beside the package it is as safe from others as the package, and
 * goes with it; where this user cannot write there, nothing is kept (ADR 32).
 */
async function keepCompiled(folder) {
	const { enableCompileCache } = await import("node:module");
	const { fileURLToPath } = await import("node:url");
	enableCompileCache?.(fileURLToPath(folder));
}

const [major, minor] = process.versions.node.split(".").map(Number);
if (major > 20 || (major === 20 && minor >= 19)) {
	start();
} else {
	console.error(
		`cursorwire needs Node 20.19 or newer, and this is ${process.versions.node}. Install one from https://nodejs.org.`,
	);
	process.exitCode = 6;
}
