// A model that does what the first word of the prompt says.
import type { Brain } from "cursorwire-emulator";

/** The tool that it calls. */
export const LOOK = {
	type: "function",
	function: { name: "look", parameters: { type: "object", properties: { at: { type: "string" } } } },
};

export const obedient: Brain = async function* (turn) {
	// A conversation that was rebuilt goes on from the result.
	const last = turn.messages.at(-1)?.content.at(-1);
	if (last?.type === "tool-result") {
		yield { text: `saw ${last.result}` };
		return;
	}
	switch (turn.prompt.split(" ")[0]) {
		case "hang":
			yield { hang: true };
			return;
		case "speak-and-hang":
			yield { text: "the first words " };
			yield { hang: true };
			return;
		case "arguments-and-hang":
			yield {
				update: {
					kind: "partial_tool_call",
					args: {
						call_id: "call_1",
						tool_call: { mcp_tool_call: { args: { name: turn.tools[0]?.name, tool_call_id: "call_1" } } },
						args_text_delta: Buffer.from('{"at":"some').toString("base64"),
					},
				},
			};
			yield { hang: true };
			return;
		case "look": {
			const [found] = yield { calls: [{ name: "look", arguments: { at: turn.prompt } }] };
			yield { text: `saw ${found.text}` };
			return;
		}
		case "look-and-hang":
			yield { calls: [{ name: "look", arguments: { at: turn.prompt } }] };
			yield { text: "the first words " };
			yield { hang: true };
			return;
		case "schemas":
			yield { text: JSON.stringify(turn.tools.map(({ name, inputSchema }) => [name, inputSchema])) };
			return;
		case "repeat":
			yield { text: turn.prompt.slice("repeat ".length) };
			return;
		case "drone":
			for (let part = 0; part < 20; part++) yield { text: "x".repeat(100_000) };
			return;
		case "fail":
			yield { error: { code: "resource_exhausted", message: `refused: ${turn.prompt}` } };
			return;
		case "slowly":
			for (const word of turn.prompt.split(" ")) {
				yield { text: `${word} ` };
				yield { delay: 40 };
			}
			return;
		default:
			yield { text: `you said ${turn.prompt}` };
	}
};
