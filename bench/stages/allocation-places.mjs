// Which functions allocate what in one turn, by a heap profile that samples every object. Compiled code puts small
// functions into their callers, which hides them, so the gateway is started with `PLAIN_CODE` for this.
import { readFileSync } from "node:fs";

export const PLAIN_CODE = ["--no-turbo-inlining"];
const MOST_PLACES = 120;

/** The lines of a bundle, each with the source file that it comes from, which esbuild names in comments. */
const sources = new Map();
function sourceAt({ url, lineNumber }) {
	if (!sources.has(url)) {
		let file = "";
		const files = readFileSync(new URL(url), "utf8")
			.split("\n")
			.map((line) => {
				file = /^\/\/ ((?:src|\.\.|node_modules)\/.*)$/.exec(line)?.[1] ?? file;
				return file;
			});
		sources.set(url, files);
	}
	return sources.get(url)[lineNumber];
}

function placeOf(frame) {
	const name = frame.functionName || `function in line ${frame.lineNumber + 1}`;
	if (frame.url.startsWith("file:")) return `${sourceAt(frame)} ${name}`;
	return `${frame.url || "V8"} ${name}`;
}

/** The lines of a table: bytes of one turn, and the place. Those of Node and V8 come after the gateway's own. */
export function allocationTable(head, turns) {
	const places = new Map();
	const visit = ({ callFrame, selfSize, children }, caller) => {
		// What V8 itself does, such as making a map, is done for somebody.
		const place = callFrame.url === "" ? caller : placeOf(callFrame);
		places.set(place, (places.get(place) ?? 0) + selfSize / turns);
		for (const child of children) visit(child, place);
	};
	visit(head, "V8 itself");
	const isOwn = ([place]) => !/^(node:|V8 )/.test(place);
	const all = [...places].filter(([, bytes]) => bytes >= 1).sort((one, other) => other[1] - one[1]);
	const part = (title, some) => {
		const sum = some.reduce((total, [, bytes]) => total + bytes, 0);
		const lines = some
			.slice(0, MOST_PLACES)
			.map(([place, bytes]) => `${String(Math.round(bytes)).padStart(7)}  ${place}`);
		return [`${title}: ${Math.round(sum)} bytes in ${some.length} places`, ...lines];
	};
	const others = all.filter((one) => !isOwn(one));
	return [...part("Gateway", all.filter(isOwn)), "", ...part("Node and V8", others)].join("\n");
}
