// Runs before `npm publish` of a built package. RELEASING.md says how a release is made.
import { readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * @param {Record<string, string | undefined>} env
 * @param {{ version: string, publishConfig?: { provenance?: boolean } }} manifest
 * @returns {string | undefined} why it is refused
 */
export function publishRefusal(env, { version, publishConfig }) {
	if (!env.CI || !env.ACTIONS_ID_TOKEN_REQUEST_URL) {
		return "Packages are published by CI alone, which proves where they come from. Push the tag, and let the release job do it.";
	}
	if (!publishConfig?.provenance) return "The manifest does not ask for provenance.";
	if (env.GITHUB_REF_NAME !== `v${version}`) return `The release job has to run on the tag v${version}.`;
	const { GITHUB_ACTOR: author, RELEASE_APPROVED_BY: approver } = env;
	if (!author || !approver || author === approver) {
		return "A second person has to approve the release: RELEASE_APPROVED_BY names nobody else than who started it.";
	}
	return undefined;
}

if (import.meta.filename === process.argv[1]) {
	const manifest = JSON.parse(readFileSync(join(process.cwd(), "package.json"), "utf8"));
	const refusal = publishRefusal(process.env, manifest);
	if (refusal) {
		console.error(`Not published. ${refusal} See RELEASING.md.`);
		process.exit(1);
	}
}
