import type { ShownEntry, ShownPart, ShownPrompt } from "./prompt.ts";

/** A prompt as text for a terminal. */
export function printPrompt(prompt: ShownPrompt): string {
	const { number, protocol, rpc, model, tokens } = prompt;
	const lines = [
		`━━ prompt ${number} · ${protocol} (${rpc}) · ${model} · ${prompt.mode} · about ${tokens.total} tokens`,
		...prompt.system.flatMap(({ channel, text, tokens: count }) => [
			`── system, ${channel} · ${count} tokens`,
			indented(text),
		]),
		...printTools(prompt),
		...Object.entries(prompt.context).map(([place, value]) => `── ${place}: ${JSON.stringify(value)}`),
		...prompt.history.flatMap((entry, index) => printEntry(`history ${index + 1}`, entry)),
		...(prompt.newest ? printEntry("newest", prompt.newest) : ["── no newest message: the model is to go on"]),
		...prompt.twice.map(
			({ what, name, places }) => `!! twice: the ${what} ${JSON.stringify(name)}: ${places.join(", ")}`,
		),
	];
	return lines.join("\n");
}

/** Results of tools that were added to a prompt. */
export function printResults(number: number, results: ShownEntry[]): string {
	return results.flatMap((entry) => printEntry(`prompt ${number} goes on`, entry)).join("\n");
}

function printTools({ tools }: ShownPrompt): string[] {
	const places = [...new Set(tools.map(({ place }) => place))];
	return places.map((place) => {
		const here = tools.filter((tool) => tool.place === place);
		const tokens = here.reduce((total, tool) => total + tool.tokens, 0);
		return `── tools, ${place} · ${tokens} tokens\n${indented(here.map(({ name }) => name).join(", "))}`;
	});
}

function printEntry(place: string, { role, parts, tokens }: ShownEntry): string[] {
	return [`── ${place}, ${role} · ${tokens} tokens`, ...parts.flatMap(printPart)];
}

/** Each part begins with a dash, so that parts can be told apart. */
function printPart(part: ShownPart): string[] {
	switch (part.type) {
		case "text":
			return [listed(part.text)];
		case "reasoning":
			return [listed(`(thinking) ${part.text}`)];
		case "image":
			return [listed(`(${part.mediaType}, ${part.bytes} bytes)`)];
		case "tool-call":
			return [listed(`(call of ${part.toolName}) ${JSON.stringify(part.args)}`)];
		case "tool-result":
			return [
				listed(`(${part.isError ? "failure" : "result"} of ${part.toolName})`),
				...part.parts.flatMap(printPart).map(indented),
			];
	}
}

function listed(text: string): string {
	return `- ${indented(text).slice(2)}`;
}

function indented(text: string): string {
	return text.replaceAll(/^/gm, "  ");
}
