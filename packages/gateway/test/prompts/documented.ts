// What the gateway adds to a prompt by itself. docs/architecture.md lists it; whatever else is added is invented.

export interface Documented {
	words: RegExp;
	/** As the list in the documentation has them. */
	told: string;
}

/** Those of the list that come up in these tests. */
export const DOCUMENTED: readonly Documented[] = [
	{ words: /<\/?system-reminder>/g, told: "`<system-reminder>` and `</system-reminder>`" },
	{ words: /^Image from [\w-]+:$/gm, told: "`Image from look:`" },
];

/** Fields beside the messages that the gateway fills in. */
export const DOCUMENTED_CONTEXT: readonly string[] = [
	"request_context.env",
	"request.environmentInfo",
	"request.projectPath",
];
