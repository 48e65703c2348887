// The text of facts.json: one line per field, enum and RPC, so that a change of one changes one line.

const inline = (value) =>
	JSON.stringify(value, null, 1)
		.replace(/\n\s*/g, " ")
		.replace(/([{[]) | ([}\]])/g, "$1$2");
const entries = (record, write) =>
	Object.entries(record)
		.map(([name, value]) => `${JSON.stringify(name)}: ${write(value)}`)
		.join(",\n");
const lines = (list) => (list.length === 0 ? "" : `\n${list.map((each) => `  ${inline(each)}`).join(",\n")}\n`);

/** @param {any} facts */
export function factsText({ about, sdk, services, otherRpcs, enums, messages }) {
	return `{
"about": ${JSON.stringify(about)},
"sdk": ${JSON.stringify(sdk)},
"services": {
${entries(services, (methods) => `[${lines(methods)}]`)}
},
"otherRpcs": {
${entries(otherRpcs, inline)}
},
"enums": {
${entries(enums, inline)}
},
"messages": {
${entries(messages, ({ source, fields }) => `{"source": ${JSON.stringify(source)}, "fields": [${lines(fields)}]}`)}
}
}
`;
}
