// `npm run drift [-- <version>|latest|<folder>|<file.tgz>]`: what a version of the official SDK says about the protocol
// and the facts do not, or differently.
//   exit 0  nothing that is used here has changed; what is new is listed
//   exit 1  something that is used here has changed, or the server can send a kind that nobody here knows
//   exit 2  wrong usage, or the SDK could not be had
import { readFileSync } from "node:fs";
import { compare } from "../packages/protocol/scripts/drift/compare.mjs";
import { report } from "../packages/protocol/scripts/drift/report.mjs";
import { schemaNamed, WrongUsage } from "./drift/sdk-schema.mjs";

const USAGE = "usage: npm run drift [-- <version>|latest|<folder>|<file.tgz>]";
const FACTS = new URL("../packages/protocol/facts.json", import.meta.url);

process.exitCode = await main(process.argv.slice(2));

async function main(args) {
	try {
		if (args.length > 1 || args[0]?.startsWith("-")) throw new WrongUsage(`one SDK, not "${args.join(" ")}"`);
		const { version, schema } = await schemaNamed(args[0] ?? "latest");
		const facts = JSON.parse(readFileSync(FACTS, "utf8"));
		// Not before it is needed: the generated code takes a while to load.
		const { protoFields } = await import("../packages/protocol/scripts/drift/proto-fields.mjs");
		const used = protoFields();
		const changes = compare(facts, schema, (path) => used.has(path));
		console.log(report(changes, { facts, version }));
		return changes.some(({ breaking }) => breaking) ? 1 : 0;
	} catch (error) {
		console.error(`drift: ${error.message}${error instanceof WrongUsage ? `\n${USAGE}` : ""}`);
		return 2;
	}
}
