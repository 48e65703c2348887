// `npm run facts`: writes packages/protocol/facts.json once more from the SDKs that it names as its sources.
//   --check          writes nothing; exit 1 where the file is not what the SDKs say
//   --sdk <version>  goes over to another version of the SDK; the proto files have to follow by hand
import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { factsText } from "../packages/protocol/scripts/facts-text.mjs";
import { renewFacts, sdkVersions } from "../packages/protocol/scripts/renew-facts.mjs";
import { schemaOfVersion } from "./drift/sdk-schema.mjs";

const FILE = new URL("../packages/protocol/facts.json", import.meta.url);
const { values } = parseArgs({ options: { check: { type: "boolean", default: false }, sdk: { type: "string" } } });

const before = readFileSync(FILE, "utf8");
const facts = JSON.parse(before);
const schemas = new Map();
for (const version of new Set([values.sdk ?? facts.sdk, ...sdkVersions(facts)])) {
	schemas.set(version, (await schemaOfVersion(version)).schema);
}
const after = factsText(renewFacts(facts, schemas, values.sdk));
if (!values.check) writeFileSync(FILE, after);
else if (before === after) console.log(`facts.json is what @cursor/sdk ${[...schemas.keys()].join(" and ")} say`);
else {
	console.error(firstDifference(before, after));
	process.exitCode = 1;
}

function firstDifference(ours, theirs) {
	const [left, right] = [ours.split("\n"), theirs.split("\n")];
	const at = left.findIndex((line, index) => line !== right[index]);
	return `facts.json, line ${at + 1}, is not what the SDK says:\n  ${left[at]}\n  ${right[at]}\nRun: npm run facts`;
}
