// A Model Context Protocol server on stdio with a hundred tools, as large organisations have them: one for each shelf of
// a warehouse. Shelf 42 holds the word that is its argument.
import { createInterface } from "node:readline";

const WORD = process.argv[2] ?? "nothing";

const FILTERS = {
	compartment:
		"The compartment of the shelf to look into: left, middle or right. All three are looked at if it is left out.",
	arrived_after:
		"Only articles that arrived on this day or later, in the form 2026-01-31. The day of the warehouse counts.",
	arrived_before:
		"Only articles that arrived before this day, in the form 2026-01-31. The day of the warehouse counts.",
	responsible: "Only articles that this person is responsible for, by the name in the directory of the company.",
	order_by: "The order of the articles in the answer: number, name, arrival or price. By number if it is left out.",
	currency: "The currency in which prices are given, by its three letters. That of the warehouse if it is left out.",
};

/** More than four hundred tokens each, which is usual for tools of such servers. */
const TOOLS = Array.from({ length: 100 }, (_, index) => {
	const shelf = String(index + 1).padStart(3, "0");
	return {
		name: `look_at_shelf_${shelf}`,
		description: `Looks at shelf ${shelf} of the warehouse and says what lies there. Use it when somebody asks for the goods on this shelf, for their number, or for the date on which they arrived. It changes nothing. The answer names each article once, with its number and the person who is responsible for it. Do not use it for goods that were sold: they are in the archive. If the shelf is being refilled, the answer says so, and you should ask again later.`,
		inputSchema: {
			type: "object",
			properties: {
				...Object.fromEntries(
					Object.entries(FILTERS).map(([name, description]) => [name, { type: "string", description }]),
				),
				limit: { type: "integer", minimum: 1, maximum: 100, description: "At most so many articles are named." },
				with_prices: { type: "boolean", description: "Whether the answer has the price of each article." },
			},
			additionalProperties: false,
		},
	};
});

function answer({ method, params }) {
	switch (method) {
		case "initialize":
			return {
				protocolVersion: params.protocolVersion,
				capabilities: { tools: {} },
				serverInfo: { name: "warehouse", version: "1.0.0" },
			};
		case "tools/list":
			return { tools: TOOLS };
		case "tools/call":
			return {
				content: [{ type: "text", text: params.name.endsWith("042") ? `There lies ${WORD}.` : "It is empty." }],
			};
		case "ping":
			return {};
	}
}

for await (const line of createInterface({ input: process.stdin })) {
	const message = JSON.parse(line);
	// A notification wants no answer.
	if (message.id === undefined) continue;
	const result = answer(message);
	const error = { code: -32_601, message: `there is no ${message.method} here` };
	process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id: message.id, ...(result ? { result } : { error }) })}\n`);
}
