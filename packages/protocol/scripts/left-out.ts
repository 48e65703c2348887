// The fields of our messages that facts.json has and proto/ leaves out.
import type { DescFile, DescMessage } from "@bufbuild/protobuf";
import facts from "../facts.json" with { type: "json" };
import * as agent from "../src/agent.ts";
import * as aiserver from "../src/aiserver.ts";

const messageFacts = facts.messages as Record<string, { fields: { no: number }[] }>;

const nested = (message: DescMessage): DescMessage[] => [message, ...message.nestedMessages.flatMap(nested)];

export function leftOut(): Record<string, number[]> {
	const files = Object.entries({ ...agent, ...aiserver }).filter(([name]) => name.startsWith("file_"));
	const messages = files.flatMap(([, file]) => (file as DescFile).messages.flatMap(nested));
	const entries = messages.map((message): [string, number[]] => {
		const ours = new Set(message.fields.map((field) => field.number));
		const known = messageFacts[message.typeName]?.fields ?? [];
		return [message.typeName, known.map(({ no }) => no).filter((no) => !ours.has(no))];
	});
	return Object.fromEntries(entries.filter(([, numbers]) => numbers.length > 0).sort(([a], [b]) => (a < b ? -1 : 1)));
}
