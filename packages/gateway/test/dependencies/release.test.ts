import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
// @ts-expect-error: a script without types
import { publishedManifest } from "../../../../scripts/build/manifest.mjs";
// @ts-expect-error: a script without types
import { PACKAGES } from "../../../../scripts/build/package.mjs";
// @ts-expect-error: a script without types
import { billOfMaterials } from "../../../../scripts/build/sbom.mjs";
// @ts-expect-error: a script without types
import { publishRefusal } from "../../../../scripts/check-publish.mjs";
import { temporaryFolder } from "../kit/program.ts";

const ROOT = fileURLToPath(new URL("../../../../", import.meta.url));
const run = promisify(execFile);
const read = (path: string) => readFileSync(join(ROOT, path), "utf8");
const names = Object.keys(PACKAGES);
const manifestOf = (name: string) => JSON.parse(read(`${PACKAGES[name].folder}/package.json`));

describe("D4: a release", () => {
	it.each(names)("of %s asks for provenance, and is checked before it is published", (name) => {
		const source = manifestOf(name);
		// What is worked in can never be published.
		expect(source.private).toBe(true);
		const published = publishedManifest(source, PACKAGES[name]);
		expect(published.publishConfig).toEqual({ access: "public", provenance: true });
		expect(published.scripts).toEqual({ prepublishOnly: "node ../../scripts/check-publish.mjs" });
		expect(published.private).toBeUndefined();
	});

	it("of the gateway installs the keychain's module where it can, and goes without it where it cannot", () => {
		const published = publishedManifest(manifestOf("cursorwire"), PACKAGES.cursorwire);
		expect(published.optionalDependencies).toEqual({ "@napi-rs/keyring": expect.stringMatching(/^\d+\.\d+\.\d+$/) });
		expect(published.dependencies).not.toHaveProperty("@napi-rs/keyring");
		expect(PACKAGES.cursorwire.files).toContain("bin/keychain.mjs");
	});

	const manifest = { version: "1.2.3", publishConfig: { provenance: true } };
	const good = {
		CI: "true",
		ACTIONS_ID_TOKEN_REQUEST_URL: "https://token.example",
		GITHUB_REF_NAME: "v1.2.3",
		GITHUB_ACTOR: "one",
		RELEASE_APPROVED_BY: "another",
	};
	it("is let through by CI, on its tag, with two persons", () => {
		expect(publishRefusal(good, manifest)).toBeUndefined();
	});

	it.each([
		["on a person's machine", { CI: undefined }, /CI alone/],
		["in a CI that cannot prove itself", { ACTIONS_ID_TOKEN_REQUEST_URL: undefined }, /CI alone/],
		["on a branch", { GITHUB_REF_NAME: "main" }, /tag v1\.2\.3/],
		["on another tag", { GITHUB_REF_NAME: "v1.2.4" }, /tag v1\.2\.3/],
		["that nobody approved", { RELEASE_APPROVED_BY: undefined }, /second person/],
		["that its author approved", { RELEASE_APPROVED_BY: "one" }, /second person/],
	])("is refused %s", (_where, changes, reason) => {
		expect(publishRefusal({ ...good, ...changes }, manifest)).toMatch(reason);
	});

	it("is refused without provenance", () => {
		expect(publishRefusal(good, { version: "1.2.3" })).toMatch(/provenance/);
	});

	it("is refused by npm itself here, with the reason", async () => {
		// As `npm run build` leaves it: two folders below the checkout.
		const root = temporaryFolder();
		const folder = join(root, "dist/cursorwire");
		mkdirSync(folder, { recursive: true });
		mkdirSync(join(root, "scripts"));
		writeFileSync(join(root, "scripts/check-publish.mjs"), read("scripts/check-publish.mjs"));
		const published = publishedManifest(manifestOf("cursorwire"), PACKAGES.cursorwire);
		writeFileSync(join(folder, "package.json"), JSON.stringify(published));
		const env = { PATH: process.env.PATH, HOME: root, npm_config_registry: "http://127.0.0.1:9" };
		const failure = await run("npm", ["publish", "--dry-run"], { cwd: folder, env }).catch((error) => error);
		expect(failure.code).toBe(1);
		expect(failure.stderr).toMatch(/Not published\. Packages are published by CI alone.*RELEASING\.md/s);
	});

	it("has a list in RELEASING.md, with what is checked here", () => {
		const text = read("RELEASING.md");
		for (const word of ["two persons", "provenance", "check:dependencies", "advisories.json", "RELEASE_APPROVED_BY"]) {
			expect(text).toContain(word);
		}
	});
});

describe("the bill of materials", () => {
	const integrity = `sha512-${Buffer.alloc(64, 7).toString("base64")}`;
	const product = { name: "product", version: "1.0.0", license: "MIT" };
	const packages = [
		{ folder: "/x/node_modules/@scope/a", name: "@scope/a", version: "1.0.0", license: "(MIT AND ISC)" },
		{ folder: "/x/node_modules/b", name: "b", version: "2.0.0", license: "ISC" },
		{ folder: "/x/node_modules/a/node_modules/b", name: "b", version: "2.0.0", license: "ISC" },
	];

	it("names each package once, with purl, licence and hash, and is the same each time", () => {
		const bill = billOfMaterials(product, packages, () => integrity);
		expect(bill).toMatchObject({
			bomFormat: "CycloneDX",
			specVersion: "1.6",
			metadata: { component: { name: "product", purl: "pkg:npm/product@1.0.0" } },
			components: [
				{ name: "@scope/a", purl: "pkg:npm/%40scope/a@1.0.0", licenses: [{ expression: "(MIT AND ISC)" }] },
				{ name: "b", licenses: [{ license: { id: "ISC" } }], hashes: [{ content: "07".repeat(64) }] },
			],
		});
		expect(bill.dependencies[0].dependsOn).toEqual(["pkg:npm/%40scope/a@1.0.0", "pkg:npm/b@2.0.0"]);
		expect(JSON.stringify(billOfMaterials(product, packages, () => integrity))).toBe(JSON.stringify(bill));
	});

	it("is refused where the lock names no hash", () => {
		expect(() => billOfMaterials(product, packages, () => undefined)).toThrow(/no SHA-512 of @scope\/a 1\.0\.0/);
	});
});
