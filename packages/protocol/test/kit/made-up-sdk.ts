// A made-up SDK on the disk, packed as the real one is: webpack's table of modules, generated classes in one of them,
// classes of another module hoisted into the module that uses them, and the protobuf library beside it.
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import facts from "../../facts.json" with { type: "json" };

export interface Field {
	no: number;
	name: string;
	kind: string;
	type: string;
	mapKey?: string;
	mapValueKind?: string;
	repeated?: boolean;
	optional?: boolean;
	oneof?: string;
}

interface Rpc {
	name: string;
	path: string;
	input: string;
	output: string;
	kind: string;
}

export interface Schema {
	messages: Record<string, Field[]>;
	enums: Record<string, Record<string, number>>;
	services: Record<string, Rpc[]>;
}

/** All that the facts have, as a schema of its own that can be changed. */
export function schemaOfFacts(): Schema {
	const others: Record<string, string[] | number> = facts.otherRpcs;
	const other = (service: string, name: string) => {
		const { input, output } = (facts.services as Record<string, Rpc[]>)[service]![0]!;
		return { name, path: `/${service}/${name}`, input, output, kind: "Unary" };
	};
	const services = Object.entries(structuredClone(facts.services)).map(([service, rpcs]) => {
		const names = others[service] ?? [];
		const list = typeof names === "number" ? Array.from({ length: names }, (_, index) => `Other${index}`) : names;
		return [service, [...rpcs, ...list.map((name) => other(service, name))]];
	});
	const messages = Object.entries(structuredClone(facts.messages)).map(([name, { fields }]) => [name, fields]);
	return {
		messages: Object.fromEntries(messages),
		enums: structuredClone(facts.enums) as unknown as Schema["enums"],
		services: Object.fromEntries(services),
	};
}

const SCALARS = ["", "double", "float", "int64", "uint64", "int32", "fixed64", "fixed32", "bool", "string"];
SCALARS[12] = "bytes";
SCALARS[13] = "uint32";
SCALARS[17] = "sint32";

/** What the generated classes need of version 1 of the library. */
const LIBRARY = `
const types = new Map();
exports.Message = class Message {};
exports.MethodKind = { Unary: 0, ServerStreaming: 1, ClientStreaming: 2, BiDiStreaming: 3 };
const newFieldList = (make) => ({
	byNumber: () => make().map((field) => (field.oneof ? { ...field, oneof: { name: field.oneof } } : field)).sort((a, b) => a.no - b.no),
});
const setEnumType = (object, typeName, values) => types.set(object, { typeName, values });
exports.proto3 = {
	util: { newFieldList, setEnumType, equals: () => false },
	getEnumType: (object) => {
		if (!types.has(object)) throw new Error("no enum");
		return types.get(object);
	},
};
`;

/** @returns the folder of the package, which is all that is in the folder around it */
export function makeSdk(schema: Schema, version = "9.9.9"): string {
	const folder = join(mkdtempSync(join(tmpdir(), "cursorwire-made-up-sdk-")), "package");
	const write = (path: string, text: string) => {
		mkdirSync(join(folder, path, ".."), { recursive: true });
		writeFileSync(join(folder, path), text);
	};
	write(
		"package.json",
		JSON.stringify({ name: "@cursor/sdk", version, exports: { ".": { import: "./dist/esm/index.js" } } }),
	);
	write(
		"node_modules/@bufbuild/protobuf/package.json",
		JSON.stringify({ name: "@bufbuild/protobuf", main: "index.js" }),
	);
	write("node_modules/@bufbuild/protobuf/index.js", LIBRARY);
	write("dist/esm/index.js", bundle(schema));
	return folder;
}

/** Some names contain dots, which variables cannot. */
const variable = (typeName: string) => typeName.replaceAll(".", "$");

function bundle({ messages, enums, services }: Schema): string {
	const known = new Set([...Object.keys(messages), ...Object.keys(enums)]);
	const isKnown = (type: string) => known.has(type);
	const declarations = [
		...Object.entries(enums).map(([name, values]) => enumText(name, values)),
		...Object.entries(messages).map(([name, fields]) => classText(name, fields, isKnown)),
	].join("\n");
	const exported = Object.keys(messages).map((name) => `${variable(name)}:()=>${variable(name)}`);
	const clients = Object.entries(services).map(([name, rpcs]) => serviceText(name, rpcs));
	return `import*as library from"@bufbuild/protobuf";var table={
"../proto/dist/generated/agent/v1/all_pb.js"(m,x,r){r.d(x,{${exported.join(",")}});var p=r("@bufbuild/protobuf");${declarations}},
"./src/agent/executor.ts"(m,x,r){var p=r("@bufbuild/protobuf"),t=r("../proto/dist/generated/agent/v1/all_pb.js"),gone=r("./src/gone.ts");
${clients.join("\n")}
gone.start();}
};export{table};`;
}

function enumText(name: string, values: Record<string, number>): string {
	const list = Object.entries(values).map(([value, no]) => `{no:${no},name:"${value}"}`);
	return `var ${variable(name)}={};p.proto3.util.setEnumType(${variable(name)},"${name}",[${list.join(",")}]);`;
}

function classText(name: string, fields: Field[], isKnown: (type: string) => boolean): string {
	const list = fields.map((field) => fieldText(field, isKnown)).join(",");
	const statics = `static typeName="${name}";static fields=p.proto3.util.newFieldList((()=>[${list}]));`;
	return `class ${variable(name)} extends p.Message{${statics}}`;
}

function fieldText(
	{ no, name, kind, type, mapKey, mapValueKind, repeated, optional, oneof }: Field,
	isKnown: (type: string) => boolean,
) {
	const typeText = (of: string) => {
		if (of === "scalar") return SCALARS.indexOf(type);
		if (!isKnown(type)) return `{typeName:"${type}"}`;
		return of === "enum" ? `p.proto3.getEnumType(${variable(type)})` : variable(type);
	};
	const parts = [`no:${no}`, `name:"${name}"`, `kind:"${kind}"`];
	if (kind === "map")
		parts.push(`K:${SCALARS.indexOf(mapKey!)}`, `V:{kind:"${mapValueKind}",T:${typeText(mapValueKind!)}}`);
	else parts.push(`T:${typeText(kind)}`);
	if (repeated) parts.push("repeated:!0");
	if (optional) parts.push("opt:!0");
	if (oneof) parts.push(`oneof:"${oneof}"`);
	return `{${parts.join(",")}}`;
}

function serviceText(name: string, rpcs: Rpc[]): string {
	const methods = rpcs.map(
		(rpc) =>
			`${rpc.name}:{name:"${rpc.name}",I:t.${variable(rpc.input)},O:t.${variable(rpc.output)},kind:p.MethodKind.${rpc.kind}}`,
	);
	return `const ${variable(name)}$={typeName:"${name}",methods:{${methods.join(",")}}};`;
}
