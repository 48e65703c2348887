// A Dockerfile, read far enough to check it and to repeat its build without Docker.

export interface Instruction {
	word: string;
	args: string;
}

/** Instructions by stage; a stage begins with FROM. Lines that go on and comments are resolved. */
export function stagesOf(text: string): Instruction[][] {
	const lines = text
		.split("\n")
		.filter((line) => !/^\s*#/.test(line))
		.join("\n")
		.replaceAll(/\\\n\s*/g, "")
		.split("\n")
		.filter((line) => line.trim() !== "");
	const stages: Instruction[][] = [];
	for (const line of lines) {
		const [, word = "", args = ""] = /^(\w+)\s+(.*)$/.exec(line) ?? [];
		if (word === "FROM") stages.push([]);
		stages.at(-1)?.push({ word, args: args.trim() });
	}
	return stages;
}

export interface Copy {
	sources: string[];
	target: string;
}

/** What a COPY takes from the repository, and where it puts it. */
export function copyOf({ args }: Instruction): Copy {
	const paths = args.split(/\s+/);
	return { sources: paths.slice(0, -1), target: paths.at(-1)! };
}
