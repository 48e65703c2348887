// Generates src/gen from proto/. With --check it only says whether src/gen is up to date.
// Files import `fileDesc` from src/descriptors, where messages are read when they are used.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL("..", import.meta.url));
const committed = join(here, "src", "gen");

function generate(folder) {
	const { status } = spawnSync("npx", ["--no-install", "buf", "generate", "--output", folder], {
		cwd: here,
		stdio: "inherit",
	});
	if (status !== 0) process.exit(status ?? 1);
	const made = resolve(here, folder, "src", "gen");
	for (const name of filesOf(made)) makeLazy(join(made, name));
}

function makeLazy(file) {
	const text = readFileSync(file, "utf8");
	const lazy = text.replace(
		/^import \{ (.*)\bfileDesc, (.*) \} from "(.*)";$/m,
		'import { $1$2 } from "$3";\nimport { fileDesc } from "../../../descriptors/lazy-file.ts";',
	);
	if (lazy === text) throw new Error(`${file} does not import fileDesc in the expected way`);
	writeFileSync(file, lazy);
}

function filesOf(folder) {
	return readdirSync(folder, { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile())
		.map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
		.sort();
}

if (process.argv.includes("--check")) {
	const fresh = mkdtempSync(join(tmpdir(), "cursorwire-gen-"));
	generate(fresh);
	const made = join(fresh, "src", "gen");
	const names = new Set([...filesOf(made), ...filesOf(committed)]);
	const read = (folder, name) => {
		try {
			return readFileSync(join(folder, name), "utf8");
		} catch {
			return undefined;
		}
	};
	const drifted = [...names].filter((name) => read(made, name) !== read(committed, name));
	rmSync(fresh, { recursive: true, force: true });
	if (drifted.length > 0) {
		console.error(`src/gen does not match proto/: ${drifted.join(", ")}\nRun: npm run generate`);
		process.exit(1);
	}
	console.log(`generated code matches proto/ (${names.size} files)`);
} else {
	generate(".");
}
