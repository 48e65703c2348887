// Runs in the SDK's process: loads the SDK as npm installed it and runs the cases that it is sent.
import { readFile } from "node:fs/promises";
import { register } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { cases } from "./cases/index.mjs";
import { createCaseKit } from "./kit/case-kit.mjs";

/** A case did not finish within its time limit. */
class TimedOut extends Error {}

process.once("message", (job) => {
	drive(job).then(
		() => process.exit(0),
		(error) => {
			console.error(error);
			process.exit(1);
		},
	);
});

// The SDK also works in the background. Errors that it throws there count for the case that is running.
let onStrayError = (error) => console.error(error);
process.on("unhandledRejection", (error) => onStrayError(error));
process.on("uncaughtException", (error) => onStrayError(error));

/**
 * @typedef {object} Job
 * @property {"prepare" | "run"} phase
 * @property {string[]} cases
 * @property {Record<string, unknown>} [prepared] what the first process returned, by case
 * @property {number} caseLimitMs
 * @property {number} timeoutsLeft after this many cases without an end the rest is not run
 * @property {string} version
 * @property {string} transport of kit/transports.mjs
 * @property {string} url
 * @property {string} sdkFolder
 * @property {string} home
 * @property {string} workspace
 * @property {string} store
 * @param {Job} job
 */
async function drive(job) {
	const sdk = await loadSdk(job);
	let timeouts = 0;
	for (const name of job.cases) {
		const outcome = await play(sdk, job, name);
		await new Promise((resolve) => process.send({ name, ...outcome }, resolve));
		if (outcome.timedOut && ++timeouts >= job.timeoutsLeft) return;
	}
}

/** @param {Job} job */
async function loadSdk({ sdkFolder, version }) {
	const folder = join(sdkFolder, "node_modules", "@cursor", "sdk");
	const manifest = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
	if (manifest.version !== version) throw new Error(`found @cursor/sdk ${manifest.version} in place of ${version}`);
	if (manifest.dependencies?.sqlite3) register("./kit/sqlite3-hook.mjs", import.meta.url);
	const entry = manifest.exports["."].import;
	return import(pathToFileURL(join(folder, entry.default ?? entry)).href);
}

/**
 * @param {any} sdk
 * @param {Job} job
 * @param {string} name
 */
async function play(sdk, job, name) {
	const each = cases.find((candidate) => candidate.name === name);
	const startedAt = Date.now();
	let limit;
	const kit = await createCaseKit(sdk, job, name);
	try {
		const value = await new Promise((resolve, reject) => {
			onStrayError = (error) => reject(new Error(`thrown outside of any call: ${error?.stack ?? error}`));
			const late = new TimedOut(`not finished after ${job.caseLimitMs / 1000} s`);
			limit = setTimeout(reject, job.caseLimitMs, late);
			each[job.phase](kit, job.prepared?.[name]).then(resolve, reject);
		});
		return { ok: true, value, milliseconds: Date.now() - startedAt };
	} catch (error) {
		const timedOut = error instanceof TimedOut;
		return { ok: false, timedOut, reason: reasonOf(error), milliseconds: Date.now() - startedAt };
	} finally {
		clearTimeout(limit);
		onStrayError = (error) => console.error(error);
		await kit.close();
	}
}

function reasonOf(error) {
	const isPlain = error?.code === "ERR_ASSERTION" || error instanceof TimedOut;
	const text = isPlain ? error.message : (error?.stack ?? String(error));
	return text.split("\n").slice(0, 25).join("\n");
}
