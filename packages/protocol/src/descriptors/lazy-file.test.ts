import {
	create,
	createFileRegistry,
	type DescEnum,
	type DescField,
	type DescFile,
	type DescMessage,
	type DescService,
	fromBinary,
	toBinary,
} from "@bufbuild/protobuf";
import { nestedTypes } from "@bufbuild/protobuf/reflect";
import { FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import { describe, expect, it } from "vitest";
import * as agent from "../agent.ts";
import * as aiserver from "../aiserver.ts";

type Type = DescMessage | DescEnum | DescService;

const lazyFiles = Object.entries({ ...agent, ...aiserver })
	.filter(([name]) => name.startsWith("file_"))
	.map(([, file]) => file as DescFile);

/** What protobuf-es makes of the same files when it reads them whole. */
const whole = createFileRegistry(
	create(FileDescriptorSetSchema, { file: inOrder(lazyFiles).map(({ proto }) => proto) }),
);

function inOrder(files: DescFile[], seen = new Set<DescFile>()): DescFile[] {
	return files.flatMap((file) => {
		if (seen.has(file)) return [];
		seen.add(file);
		return [...inOrder(file.dependencies, seen), file];
	});
}

const typesOf = (file: DescFile): Type[] => [...nestedTypes(file)].filter((type) => type.kind !== "extension");

/** All that is known of a type, with other types by their names. */
function known(desc: object): Record<string, unknown> {
	const properties = new Set([...Object.keys(desc), ...Object.keys(ACCESSORS[(desc as Type).kind] ?? {})]);
	const shown = [...properties].map((name) => [name, show(name, (desc as Record<string, unknown>)[name])]);
	return { ...Object.fromEntries(shown), text: `${desc}` };
}

const ACCESSORS: Record<string, Record<string, true>> = {
	message: { fields: true, field: true, oneofs: true, members: true, deprecated: true, proto: true },
	enum: { open: true, values: true, value: true, sharedPrefix: true, deprecated: true, proto: true },
	service: { methods: true, method: true, deprecated: true, proto: true },
};

/** Belong to the type; everything else is only mentioned by it. */
const PARTS = ["fields", "oneofs", "values", "methods"];

function show(name: string, value: unknown): unknown {
	if (name === "proto") return value;
	if (Array.isArray(value)) return value.map((each) => (PARTS.includes(name) ? known(each) : String(each)));
	if (typeof value === "function") return name === "getDefaultValue" ? value() : undefined;
	if (value === null || typeof value !== "object") return value;
	if ("kind" in value) return String(value);
	return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, String(each)]));
}

describe("a lazy file", () => {
	it("has the types that protobuf-es finds in it", () => {
		expect(lazyFiles.length).toBeGreaterThan(30);
		for (const file of lazyFiles) {
			const same = whole.getFile(file.proto.name)!;
			expect(typesOf(file).map(String)).toEqual(typesOf(same).map(String));
			expect([file.name, file.edition, file.deprecated, `${file}`]).toEqual([
				same.name,
				same.edition,
				same.deprecated,
				`${same}`,
			]);
		}
	});

	it("describes each of them as protobuf-es does", () => {
		const types = lazyFiles.flatMap(typesOf);
		expect(types.length).toBeGreaterThan(1000);
		for (const type of types) expect(known(type)).toEqual(known(whole.get(type.typeName)!));
	});

	it("has one descriptor for each type, whoever mentions it", () => {
		const all = new Map(lazyFiles.flatMap(typesOf).map((type) => [type.typeName, type]));
		const mentioned = [...all.values()].filter((type) => type.kind === "message").flatMap(({ fields }) => fields);
		const types = mentioned.flatMap((field: DescField) => field.message ?? field.enum ?? []);
		const ours = types.filter(({ typeName }) => !typeName.startsWith("google."));
		expect(ours.length).toBeGreaterThan(500);
		for (const type of ours) expect(all.get(type.typeName)).toBe(type);
		for (const field of mentioned) expect(all.get(field.parent.typeName)).toBe(field.parent);
	});
});

it("messages survive the way to bytes and back", () => {
	const message = create(agent.AgentClientMessageSchema, {
		message: { case: "runRequest", value: { conversationId: "one" } },
	});
	expect(fromBinary(agent.AgentClientMessageSchema, toBinary(agent.AgentClientMessageSchema, message))).toEqual(
		message,
	);
});
