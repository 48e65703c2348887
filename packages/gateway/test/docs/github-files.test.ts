import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { CHECKED_COMMANDS, commandProblem, formProblems, workflowProblems } from "./github-files.ts";

const ROOT = fileURLToPath(new URL("../../../../", import.meta.url));
const read = (path: string) => readFileSync(join(ROOT, path), "utf8");
const listed = (folder: string) => readdirSync(join(ROOT, folder)).map((name) => join(folder, name));

const manifest = JSON.parse(read("package.json"));
const repository = {
	scripts: Object.keys(manifest.scripts),
	oldestNode: Number(/\d+/.exec(manifest.engines.node)![0]),
	exists: (path: string) => existsSync(join(ROOT, path)),
};
const workflows = listed(".github/workflows");
const forms = listed(".github/ISSUE_TEMPLATE").filter((path) => !path.endsWith("config.yml"));

describe("a file that GitHub reads", () => {
	it.each(workflows)("is a workflow that names only what exists: %s", (path) => {
		expect(workflowProblems(parse(read(path)), repository)).toEqual([]);
	});

	it.each(forms)("is an issue form: %s", (path) => {
		expect(formProblems(parse(read(path)))).toEqual([]);
	});

	it("asks for the doctor's report where something went wrong", () => {
		for (const name of ["bug", "drift"]) {
			expect(read(`.github/ISSUE_TEMPLATE/${name}.yml`)).toContain("cursorwire doctor --report");
		}
	});

	it("keeps dependencies, actions and the image up to date", () => {
		const { version, updates } = parse(read(".github/dependabot.yml"));
		expect(version).toBe(2);
		expect(updates.map((update: Record<string, unknown>) => update["package-ecosystem"]).sort()).toEqual([
			"docker",
			"github-actions",
			"npm",
		]);
		for (const { schedule } of updates) expect(["daily", "weekly", "monthly"]).toContain(schedule.interval);
	});
});

describe("the workflows together", () => {
	const job = (path: string, name: string) => parse(read(`.github/workflows/${path}`)).jobs[name];

	it("run each supported line of Node on each system", () => {
		expect(job("ci.yml", "linux").strategy.matrix).toEqual({ node: [20, 22, 24] });
		const { os, node } = job("ci.yml", "unit").strategy.matrix;
		expect([os, node]).toEqual([
			["macos-latest", "windows-latest"],
			[20, 22, 24],
		]);
	});

	it("leave out only tests that are there", () => {
		const left = [...read(".github/vitest.unit.config.ts").matchAll(/"(packages\/gateway\/[^"]+)"/g)].map(
			([, path]) => path!,
		);
		expect(left.length).toBeGreaterThan(0);
		expect(left.filter((path) => !repository.exists(path))).toEqual([]);
	});

	it("look for drift every day", () => {
		const { schedule } = parse(read(".github/workflows/drift.yml")).on;
		expect(schedule).toHaveLength(1);
		expect(schedule[0].cron).toMatch(/^\d+ \d+ \* \* \*$/);
	});

	it("publish only when it is switched on, with an identity token, after tests and with a second person's approval", () => {
		const publish = job("release.yml", "publish");
		expect(publish.if).toBe("vars.RELEASES_ENABLED == 'true'");
		expect(publish.needs).toEqual(["test", "build"]);
		expect(publish.environment).toBe("release");
		expect(publish.permissions["id-token"]).toBe("write");
		const text = read(".github/workflows/release.yml");
		expect(text).not.toMatch(/NODE_AUTH_TOKEN|secrets\./);
		expect(text).toContain("RELEASE_APPROVED_BY=");
		const releasing = read("RELEASING.md");
		for (const word of ["release.yml", "RELEASES_ENABLED", "SHA256SUMS"]) expect(releasing).toContain(word);
	});
});

describe("a mistake in a workflow is found", () => {
	const good = {
		name: "x",
		on: { push: {} },
		permissions: { contents: "read" },
		jobs: { a: { "runs-on": "ubuntu-latest", "timeout-minutes": 5, steps: [{ run: "npm run build" }] } },
	};
	const withStep = (step: object) => ({ ...good, jobs: { a: { ...good.jobs.a, steps: [step] } } });

	it("and none where there is none", () => expect(workflowProblems(good, repository)).toEqual([]));

	it.each([
		["a misspelt key", { ...good, job: {} }, /unknown key "job"/],
		["a misspelt key of a job", { ...good, jobs: { a: { ...good.jobs.a, step: [] } } }, /unknown key "step"/],
		["no permissions", { ...good, permissions: undefined }, /permissions/],
		["no time limit", { ...good, jobs: { a: { ...good.jobs.a, "timeout-minutes": undefined } } }, /timeout-minutes/],
		["a job that is not there", { ...good, jobs: { a: { ...good.jobs.a, needs: "b" } } }, /needs b/],
		["an action without a version", withStep({ uses: "actions/checkout" }), /without a version/],
		["an action of a branch", withStep({ uses: "actions/checkout@main" }), /without a version/],
		["a step that does nothing", withStep({ name: "x" }), /neither uses nor run/],
		["an npm script that is not there", withStep({ run: "npm run biuld" }), /no npm script "biuld"/],
		["a script that is not there", withStep({ run: "node scripts/instal.mjs" }), /no file scripts\/instal\.mjs/],
		[
			"a configuration that is not there",
			withStep({ run: "npx vitest run --config .github/vitest.config.ts" }),
			/no file \.github\/vitest\.config\.ts/,
		],
		[
			"a Node that is too old",
			withStep({ uses: "actions/setup-node@v4", with: { "node-version": 18 } }),
			/Node 18 is older/,
		],
		["an old image", { ...good, jobs: { a: { ...good.jobs.a, container: "node:18-bookworm" } } }, /Node 18 is older/],
		[
			"an old row of a matrix",
			{ ...good, jobs: { a: { ...good.jobs.a, strategy: { matrix: { node: [18] } } } } },
			/Node 18/,
		],
	])("%s", (_what, workflow, problem) => {
		expect(workflowProblems(workflow, repository).join("\n")).toMatch(problem);
	});

	it.each(CHECKED_COMMANDS)("in a command that begins with %s", (start) => {
		expect(commandProblem(`${start} packages/none/such.mjs`, repository)).toContain("packages/none/such.mjs");
	});
});

describe("a mistake in an issue form is found", () => {
	const good = { name: "x", description: "y", body: [{ type: "textarea", id: "a", attributes: { label: "z" } }] };

	it("and none where there is none", () => expect(formProblems(good)).toEqual([]));

	it.each([
		["no description", { ...good, description: undefined }, /description/],
		["a misspelt key", { ...good, label: [] }, /unknown key "label"/],
		["an unknown type", { ...good, body: [{ type: "text", id: "a", attributes: { label: "z" } }] }, /type "text"/],
		["no label", { ...good, body: [{ type: "input", id: "a", attributes: {} }] }, /label/],
		["an id twice", { ...good, body: [good.body[0], good.body[0]] }, /twice/],
		["nothing to fill in", { ...good, body: [{ type: "markdown", attributes: { value: "x" } }] }, /nothing to fill in/],
	])("%s", (_what, form, problem) => {
		expect(formProblems(form).join("\n")).toMatch(problem);
	});
});
