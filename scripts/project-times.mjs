// A reporter for vitest: how long each project took, and how much of it the tests themselves.
const seconds = (ms) => `${Math.round(ms / 1000)} s`;

export default class ProjectTimes {
	#begun = Date.now();
	#projects = new Map();

	onTestRunStart() {
		this.#begun = Date.now();
		this.#projects.clear();
	}

	onTestModuleEnd(module) {
		const name = module.project.name || "tests";
		const { files, testsMs } = this.#projects.get(name) ?? { files: 0, testsMs: 0 };
		const endedMs = Date.now() - this.#begun;
		this.#projects.set(name, { files: files + 1, testsMs: testsMs + module.diagnostic().duration, endedMs });
	}

	onTestRunEnd() {
		for (const [name, { files, testsMs, endedMs }] of this.#projects) {
			console.log(`${name}: ${files} files, over after ${seconds(endedMs)}, with ${seconds(testsMs)} of tests`);
		}
	}
}
