// All cases, in the order in which they run.
import { hasFeature } from "../kit/features.mjs";
import { cancel } from "./cancel.mjs";
import { context } from "./context.mjs";
import { customTool } from "./custom-tool.mjs";
import { drop } from "./drop.mjs";
import { frames } from "./frames.mjs";
import { image } from "./image.mjs";
import { login } from "./login.mjs";
import { plan } from "./plan.mjs";
import { privacy } from "./privacy.mjs";
import { query } from "./query.mjs";
import { read } from "./read.mjs";
import { resume } from "./resume.mjs";
import { secondTurn } from "./second-turn.mjs";
import { shell } from "./shell.mjs";
import { shellStream } from "./shell-stream.mjs";
import { text } from "./text.mjs";
import { thinking } from "./thinking.mjs";
import { toolRestriction } from "./tool-restriction.mjs";
import { twoTools } from "./two-tools.mjs";
import { usageLimit } from "./usage-limit.mjs";

/**
 * @typedef {object} Case
 * @property {string} name
 * @property {string} title what is printed
 * @property {Partial<Record<import("../kit/features.mjs").Feature, string>>} [without] how the case differs if the SDK lacks a feature; printed with the title
 * @property {(kit: import("../kit/case-kit.mjs").CaseKit) => Promise<unknown>} [prepare] runs in an earlier, separate process; `run` gets what it returns
 * @property {(kit: import("../kit/case-kit.mjs").CaseKit, prepared?: any) => Promise<void>} run
 */

/** @type {Case[]} */
export const cases = [
	text,
	frames,
	thinking,
	read,
	shell,
	shellStream,
	customTool,
	twoTools,
	secondTurn,
	resume,
	image,
	context,
	query,
	plan,
	usageLimit,
	cancel,
	drop,
	toolRestriction,
	privacy,
	login,
];

/**
 * @param {Case} each
 * @param {string} version
 */
export function titleOf({ name, title, without = {} }, version) {
	const notes = Object.entries(without).filter(([feature]) => !hasFeature(version, feature));
	return `${name}: ${title}${notes.map(([, note]) => ` [${version} ${note}]`).join("")}`;
}
