// `npm run facts`: writes packages/protocol/facts.json once more from the SDKs that it names as its sources, and the
// table that is made from it.
//   --check          writes nothing; exit 1 where the file is not what the SDKs say
//   --sdk <version>  goes over to another version of the SDK; the proto files have to follow by hand
import { readFileSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { parseArgs } from "node:util";
import { factsText } from "../packages/protocol/scripts/facts-text.mjs";
import { renewFacts, sdkVersions } from "../packages/protocol/scripts/renew-facts.mjs";
import { toolKindsText } from "../packages/protocol/scripts/tool-kinds-text.mjs";
import { schemaOfVersion } from "./drift/sdk-schema.mjs";

const FACTS = new URL("../packages/protocol/facts.json", import.meta.url);
const TOOL_KINDS = new URL("../packages/protocol/src/tool-kinds.ts", import.meta.url);
const { values } = parseArgs({ options: { check: { type: "boolean", default: false }, sdk: { type: "string" } } });

const facts = JSON.parse(readFileSync(FACTS, "utf8"));
const schemas = new Map();
for (const version of new Set([values.sdk ?? facts.sdk, ...sdkVersions(facts)])) {
	schemas.set(version, (await schemaOfVersion(version)).schema);
}
const renewed = renewFacts(facts, schemas, values.sdk);
const texts = [
	[FACTS, factsText(renewed)],
	[TOOL_KINDS, toolKindsText(renewed)],
];
if (!values.check) for (const [file, text] of texts) writeFileSync(file, text);
const wrong = texts.filter(([file, text]) => readFileSync(file, "utf8") !== text);
for (const [file, text] of wrong) console.error(firstDifference(file, text));
if (wrong.length === 0) console.log(`facts.json is what @cursor/sdk ${[...schemas.keys()].join(" and ")} say`);
else process.exitCode = 1;

function firstDifference(file, text) {
	const [ours, theirs] = [readFileSync(file, "utf8").split("\n"), text.split("\n")];
	const at = theirs.findIndex((line, index) => line !== ours[index]);
	const name = basename(file.pathname);
	return `${name}, line ${at + 1}, is not what the SDK says:\n  ${ours[at]}\n  ${theirs[at]}\nRun: npm run facts`;
}
