import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { Brain } from "./brain.ts";
import { busy } from "./busy.ts";
import { demo } from "./demo.ts";
import { echo } from "./echo.ts";
import { relay } from "./relay.ts";

const BUILT_IN: Record<string, Brain> = { demo, echo, busy };

/** A brain by name (`demo`, `echo`, `busy`), by `relay:<url>`, or from a module. Throws one line that says what is wrong. */
export async function loadBrain(spec: string, folder: string, relayKey?: string): Promise<Brain> {
	const builtIn = BUILT_IN[spec];
	if (builtIn) return builtIn;
	if (spec.startsWith("relay:")) return relay(spec.slice("relay:".length), relayKey);
	const file = resolve(folder, spec);
	if (!existsSync(file)) {
		throw new Error(`unknown brain "${spec}": not demo, echo, busy or relay:<url>, and there is no file ${file}`);
	}
	let module: { default?: unknown };
	try {
		module = await import(pathToFileURL(file).href);
	} catch (error) {
		throw new Error(`brain ${spec} cannot be loaded: ${(error as Error).message}`);
	}
	if (typeof module.default !== "function") {
		throw new Error(`brain ${spec} has no default export that is a function (async function* brain(turn) { … })`);
	}
	return module.default as Brain;
}
