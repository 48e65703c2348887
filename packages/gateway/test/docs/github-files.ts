// What can be wrong with the files in .github without GitHub telling before they are needed.

type Fields = Record<string, unknown>;

export interface Repository {
	/** Names of the npm scripts of the root. */
	scripts: readonly string[];
	/** The oldest supported line of Node. */
	oldestNode: number;
	exists(path: string): boolean;
}

const WORKFLOW_KEYS = ["name", "on", "permissions", "concurrency", "jobs", "env", "defaults", "run-name"];
const JOB_KEYS = [
	...["name", "runs-on", "container", "needs", "if", "permissions", "environment", "timeout-minutes", "strategy"],
	...["steps", "env", "outputs", "concurrency", "continue-on-error", "defaults", "services"],
];
const STEP_KEYS = ["name", "id", "if", "uses", "with", "run", "env", "shell", "working-directory", "timeout-minutes"];

const isFields = (value: unknown): value is Fields =>
	typeof value === "object" && value !== null && !Array.isArray(value);
const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {});

const unknownKeys = (fields: Fields, known: readonly string[]) =>
	Object.keys(fields)
		.filter((key) => !known.includes(key))
		.map((key) => `unknown key "${key}"`);

export function workflowProblems(workflow: unknown, repository: Repository): string[] {
	if (!isFields(workflow)) return ["not a mapping"];
	const problems = unknownKeys(workflow, WORKFLOW_KEYS);
	for (const key of ["name", "on", "permissions", "jobs"]) {
		if (workflow[key] === undefined) problems.push(`no ${key}`);
	}
	const jobs = fieldsOf(workflow.jobs);
	for (const [name, job] of Object.entries(jobs)) {
		for (const problem of jobProblems(fieldsOf(job), Object.keys(jobs), repository))
			problems.push(`${name}: ${problem}`);
	}
	return problems;
}

function jobProblems(job: Fields, jobs: readonly string[], repository: Repository): string[] {
	const problems = unknownKeys(job, JOB_KEYS);
	for (const key of ["runs-on", "timeout-minutes", "steps"]) if (job[key] === undefined) problems.push(`no ${key}`);
	for (const needed of [job.needs ?? []].flat()) {
		if (!jobs.includes(String(needed))) problems.push(`needs ${needed}, which is not there`);
	}
	const steps = Array.isArray(job.steps) ? job.steps.map(fieldsOf) : [];
	for (const version of nodeVersions(job, steps)) {
		if (version < repository.oldestNode) problems.push(`Node ${version} is older than package.json allows`);
	}
	return [...problems, ...steps.flatMap((step) => stepProblems(step, repository))];
}

function nodeVersions(job: Fields, steps: readonly Fields[]): number[] {
	const matrix = fieldsOf(fieldsOf(job.strategy).matrix).node;
	const image = /^node:(\d+)/.exec(String(job.container))?.[1];
	const set = steps.map((step) => fieldsOf(step.with)["node-version"]);
	return [...(Array.isArray(matrix) ? matrix : []), image, ...set].map(Number).filter((version) => version > 0);
}

function stepProblems(step: Fields, repository: Repository): string[] {
	const problems = unknownKeys(step, STEP_KEYS);
	if ((step.uses === undefined) === (step.run === undefined)) problems.push("a step has neither uses nor run, or both");
	if (step.uses !== undefined && !/^[\w-]+\/[\w./-]+@(v\d+(\.\d+)*|[0-9a-f]{40})$/.test(String(step.uses))) {
		problems.push(`${step.uses} is without a version`);
	}
	const commands = String(step.run ?? "").split(/\n|&&/);
	return [...problems, ...commands.flatMap((command) => commandProblem(command.trim(), repository) ?? [])];
}

/** Starts of commands whose next word has to be an npm script or a file of the repository. */
export const CHECKED_COMMANDS = ["npm run", "node", "npx vitest run", "npx vitest run --config"];

/** The first thing that a command names and the repository does not have. */
export function commandProblem(command: string, { scripts, exists }: Repository): string | undefined {
	const script = /^npm run (\S+)/.exec(command)?.[1] ?? (/^npm test\b/.test(command) ? "test" : undefined);
	if (script !== undefined && !scripts.includes(script)) return `no npm script "${script}"`;
	const paths = command.match(/(?<![\w./$"-])(?:packages|scripts|\.ci|\.github)\/[\w./-]+/g) ?? [];
	const missing = paths.find((path) => !exists(path));
	return missing && `no file ${missing}`;
}

const FORM_KEYS = ["name", "description", "title", "labels", "assignees", "body"];
const FIELD_TYPES = ["markdown", "textarea", "input", "dropdown", "checkboxes"];

export function formProblems(form: unknown): string[] {
	if (!isFields(form)) return ["not a mapping"];
	const problems = unknownKeys(form, FORM_KEYS);
	for (const key of ["name", "description", "body"]) if (!form[key]) problems.push(`no ${key}`);
	const fields = Array.isArray(form.body) ? form.body.map(fieldsOf) : [];
	const ids = fields.flatMap(({ id }) => id ?? []);
	if (new Set(ids).size < ids.length) problems.push("an id is there twice");
	if (fields.every(({ type }) => type === "markdown")) problems.push("there is nothing to fill in");
	return [...problems, ...fields.flatMap(fieldProblems)];
}

function fieldProblems(field: Fields): string[] {
	const problems = unknownKeys(field, ["type", "id", "attributes", "validations"]);
	if (!FIELD_TYPES.includes(String(field.type))) problems.push(`unknown type "${field.type}"`);
	const needed = field.type === "markdown" ? "value" : "label";
	if (!fieldsOf(field.attributes)[needed]) problems.push(`a field has no ${needed}`);
	return problems;
}
