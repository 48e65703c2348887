// The build of the Dockerfile without Docker: the same files, copied in the same order, and the same commands. Only
// what npm would install is linked from the repository's own installation, because that takes minutes.
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { basename, join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, it } from "vitest";
import { INSTALL_LIMIT_MS } from "../agents/kit/install.ts";
import { copyOf, type Instruction, stagesOf } from "./kit/dockerfile.ts";

const ROOT = fileURLToPath(new URL("../../../..", import.meta.url));
/** On the same file system as what is linked. */
const CACHE = join(ROOT, ".cache");
mkdirSync(CACHE, { recursive: true });
const place = mkdtempSync(join(CACHE, "docker-"));
const packed = join(place, "packed");
const source = join(place, "source");
afterAll(() => rmSync(place, { recursive: true, force: true }));

/** What .dockerignore leaves out of a folder that is copied. */
const LEFT_OUT = new Set(["node_modules", "dist", "test"]);
const isSent = (path: string) => {
	const names = path.slice(ROOT.length).split(sep);
	return !names.some((name) => LEFT_OUT.has(name)) && !/\.(test\.ts|log|tgz)$/.test(path);
};

const STEPS: Record<string, (instruction: Instruction) => void> = {
	COPY(instruction) {
		const { sources, target } = copyOf(instruction);
		for (const from of sources) {
			const to = target.endsWith("/") ? join(source, target, basename(from)) : join(source, target);
			cpSync(join(ROOT, from), to, { recursive: true, filter: isSent });
		}
	},
	RUN({ args }) {
		if (args === "node scripts/install.mjs") {
			execFileSync("cp", ["-al", join(ROOT, "node_modules"), source]);
			return;
		}
		execFileSync("/bin/sh", ["-c", args.replaceAll("/packed", packed)], { cwd: source, stdio: "pipe" });
	},
};

it(
	"the build stage of the Dockerfile makes the two packages from the files that it copies",
	() => {
		const [build = []] = stagesOf(readFileSync(join(ROOT, "Dockerfile"), "utf8"));
		for (const instruction of build) STEPS[instruction.word]?.(instruction);
		const names = readdirSync(packed).map((name) => name.replace(/-\d.*\.tgz$/, ""));
		expect(names.sort()).toEqual(["cursorwire", "cursorwire-emulator"]);
	},
	INSTALL_LIMIT_MS,
);
