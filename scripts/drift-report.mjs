// For the scheduled workflow: runs `npm run drift` and `npm run conformance` for the newest SDK and, where there is
// something to tell, writes it as an issue: the title into title.txt, the text into body.md of the folder given.
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { advice } from "./drift/advice.mjs";

const folder = process.argv[2];
if (folder === undefined) {
	console.error("usage: node scripts/drift-report.mjs <folder for the report>");
	process.exit(2);
}

function run(args) {
	const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
	const text = `${stdout}${stderr}`;
	console.log(text);
	return { status: status ?? 2, text };
}

const told = advice(
	run(["--import", "tsx", "scripts/drift.mjs", "latest"]),
	run(["packages/emulator/conformance/run.mjs", "--sdk", "latest"]),
);
if (told === undefined) console.log("nothing to report");
else {
	mkdirSync(folder, { recursive: true });
	writeFileSync(join(folder, "title.txt"), told.title);
	writeFileSync(join(folder, "body.md"), told.body);
}
