// The fields in the proto files. Needs a TypeScript loader, because the descriptors are generated code.
import * as agent from "../../src/agent.ts";
import * as aiserver from "../../src/aiserver.ts";

/** @returns {Set<string>} `type.field` for every field of every message */
export function protoFields() {
	const messages = Object.values({ ...agent, ...aiserver })
		.filter((value) => value?.kind === "file")
		.flatMap((file) => file.messages.flatMap(withNested));
	return new Set(messages.flatMap(({ typeName, fields }) => fields.map(({ name }) => `${typeName}.${name}`)));
}

const withNested = (message) => [message, ...message.nestedMessages.flatMap(withNested)];
