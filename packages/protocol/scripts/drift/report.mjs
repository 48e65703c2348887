// The changes as text: those on the stream of a run first, and in each part the breaking ones first.
import { runStreamTypes } from "./reachable.mjs";

const SIGNS = { added: "+", removed: "-", changed: "~" };

/**
 * @param {import("./compare.mjs").Change[]} changes
 * @param {{ facts: any, version: string }} about
 */
export function report(changes, { facts, version }) {
	const onRunStream = runStreamTypes(facts.messages);
	// The service of runs is listed together with them.
	const isOfRun = ({ type }) => onRunStream.has(type) || type === "agent.v1.AgentService";
	const parts = [
		["The stream of a run", changes.filter(isOfRun)],
		["Elsewhere", changes.filter((change) => !isOfRun(change))],
	];
	const lines = [`@cursor/sdk ${version}, compared with the facts (${facts.sdk})`];
	for (const [title, list] of parts) {
		if (list.length > 0) lines.push("", title, ...[...list].sort(byWeight).map(line));
	}
	return [...lines, "", summary(changes)].join("\n");
}

const byWeight = (one, other) =>
	Number(other.breaking) - Number(one.breaking) ||
	one.what.localeCompare(other.what) ||
	one.text.localeCompare(other.text);

const line = ({ what, text, breaking }) => `  ${breaking ? "!" : " "} ${SIGNS[what]} ${text}`;

function summary(changes) {
	if (changes.length === 0) return "no difference";
	const count = (what) => `${changes.filter((change) => change.what === what).length} ${what}`;
	const counts = `${count("added")}, ${count("removed")}, ${count("changed")}`;
	const breaking = changes.filter((change) => change.breaking).length;
	return breaking === 0
		? `${counts}; nothing that is used here has changed`
		: `${counts}; ${breaking} of them, marked with !, concern what is used here`;
}
