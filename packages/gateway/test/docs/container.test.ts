// Dockerfile, .dockerignore and compose.yaml, as far as they can be checked without Docker.
import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { SETTINGS } from "../../src/config/setting-table.ts";
import { copyOf, stagesOf } from "../pack/kit/dockerfile.ts";
import { commandProblem } from "./github-files.ts";

const ROOT = fileURLToPath(new URL("../../../../", import.meta.url));
const read = (path: string) => readFileSync(join(ROOT, path), "utf8");
const manifest = JSON.parse(read("package.json"));
const dockerfile = read("Dockerfile");
const [build = [], image = []] = stagesOf(dockerfile);
const copiedIn = (instructions: typeof build) =>
	instructions.filter(({ word }) => word === "COPY").flatMap((each) => copyOf(each).sources);
const variables = new Set<string>(Object.values(SETTINGS).flatMap(({ env }) => env));

/** A script and the scripts that it imports. */
function importsOf(script: string): string[] {
	const imported = [...read(script).matchAll(/from "(\.[^"]+)"/g)].map(([, path]) => join(dirname(script), path!));
	return [script, ...imported.flatMap(importsOf)];
}

describe("the Dockerfile", () => {
	const install = build.findIndex(({ word }) => word === "RUN");
	const before = copiedIn(build.slice(0, install));

	it("installs from the manifests alone, so that the layer is kept when sources change", () => {
		expect(build[install]).toEqual({ word: "RUN", args: "node scripts/install.mjs" });
		const manifests = manifest.workspaces.map((folder: string) => `${folder}/package.json`);
		expect([...before].sort()).toEqual(
			["package.json", "package-lock.json", ".npmrc", ...manifests, ...importsOf("scripts/install.mjs")].sort(),
		);
	});

	it("puts every file where it is in the repository", () => {
		for (const { sources, target } of build.filter(({ word }) => word === "COPY").map(copyOf)) {
			for (const source of sources) {
				expect(existsSync(join(ROOT, source)), source).toBe(true);
				expect(target.endsWith("/") ? join(target, basename(source)) : target).toBe(source);
			}
		}
	});

	it("runs only what is there", () => {
		const repository = {
			scripts: Object.keys(manifest.scripts),
			oldestNode: 20,
			exists: (path: string) => existsSync(join(ROOT, path)),
		};
		const commands = build.filter(({ word }) => word === "RUN").flatMap(({ args }) => args.split("&&"));
		expect(commands.length).toBeGreaterThan(2);
		for (const command of commands) expect(commandProblem(command.trim(), repository)).toBeUndefined();
	});

	it("ends with an image without packed files and caches, for a user without rights", () => {
		const words = image.map(({ word }) => word);
		expect(words).not.toContain("COPY");
		expect(image.find(({ word }) => word === "RUN")?.args).toContain("rm -rf /root/.npm");
		expect(image.find(({ word }) => word === "USER")?.args).toBe("node");
		expect(words.indexOf("USER")).toBeLessThan(words.indexOf("ENTRYPOINT"));
		expect(words.lastIndexOf("RUN")).toBeLessThan(words.indexOf("USER"));
	});

	it("needs no syntax that would have to be fetched", () => expect(dockerfile).not.toMatch(/^#\s*syntax/im));

	it("sets only variables that the gateway knows", () => {
		const named = [...dockerfile.matchAll(/\b(CURSORWIRE_\w+)/g)].map(([, name]) => name!);
		expect(named.length).toBeGreaterThan(4);
		expect(named.filter((name) => !variables.has(name))).toEqual([]);
	});
});

describe(".dockerignore", () => {
	const lines = read(".dockerignore")
		.split("\n")
		.filter((line) => line && !line.startsWith("#"));

	it("lets through what the Dockerfile copies, and nothing else of the repository's root", () => {
		expect(lines[0]).toBe("*");
		const admitted = lines.filter((line) => line.startsWith("!")).map((line) => line.slice(1));
		const roots = new Set(copiedIn(build).map((path) => path.split("/")[0]));
		expect(admitted.sort()).toEqual([...roots].sort());
	});

	it("leaves out what the machine made", () => {
		expect(lines).toEqual(expect.arrayContaining(["**/node_modules", "**/dist", "**/*.log", "**/*.tgz"]));
	});
});

describe("compose.yaml", () => {
	const { services, volumes } = parse(read("compose.yaml"));

	it("starts one gateway by default, and the Redis only by its profile", () => {
		const byDefault = Object.keys(services).filter((name) => services[name].profiles === undefined);
		expect(byDefault).toEqual(["cursorwire"]);
		expect(services.redis.profiles).toEqual(["redis", "group"]);
		expect(services.cursorwire.depends_on.redis).toEqual({ condition: "service_healthy", required: false });
		expect(services.cursorwire.environment.CURSORWIRE_REDIS).toBe("${" + "CURSORWIRE_REDIS:-}");
	});

	it("publishes the gateway on this machine only, and the Redis nowhere", () => {
		expect(services.cursorwire.ports).toEqual(["127.0.0.1:4280:4280"]);
		expect(services.redis.ports).toBeUndefined();
		expect(services.haproxy.ports).toEqual(["127.0.0.1:4280:4280"]);
		expect(services["gateway-1"].ports).toBeUndefined();
	});

	it("names only variables that the gateway knows, and volumes that are declared", () => {
		const named = Object.values<{ environment?: object }>(services).flatMap(({ environment = {} }) =>
			Object.keys(environment),
		);
		expect(named.filter((name) => !variables.has(name))).toEqual([]);
		const mounted = Object.values<{ volumes: string[] }>(services).flatMap((service) => service.volumes);
		const isVolume = (mount: string) => !mount.startsWith(".");
		expect(
			mounted
				.filter(isVolume)
				.map((mount) => mount.split(":")[0])
				.sort(),
		).toEqual(Object.keys(volumes).sort());
	});
});

describe("haproxy.cfg", () => {
	it("is understood by HAProxy, and names the gateways of compose.yaml", async () => {
		const checked = await promisify(execFile)("haproxy", ["-c", "-f", join(ROOT, "haproxy.cfg")]);
		expect(checked.stdout).toContain("Configuration file is valid");
		const named = [...read("haproxy.cfg").matchAll(/^\s*server \S+ (\S+):4280$/gm)].map(([, host]) => host);
		const { services } = parse(read("compose.yaml"));
		expect(named).toEqual(Object.keys(services).filter((name) => name.startsWith("gateway-")));
	});
});
