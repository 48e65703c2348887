import { readFileSync } from "node:fs";
import { Ajv } from "ajv";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { configSchema } from "./config-schema.ts";
import { SETTINGS, type SettingName } from "./setting-table.ts";

const validate = new Ajv({ allErrors: true }).compile(configSchema());
const NAMES = Object.keys(SETTINGS) as SettingName[];

function programTakes(name: SettingName, value: unknown): boolean {
	try {
		SETTINGS[name].parse(value);
		return true;
	} catch {
		return false;
	}
}

const schemaTakes = (name: SettingName, value: unknown): boolean => validate({ [name]: value });

interface Shape {
	type?: string;
	enum?: readonly string[];
	minimum?: number;
	maximum?: number;
	pattern?: string;
}
const shapeOf = (name: SettingName): Shape => SETTINGS[name].parse.schema;

/** Any JSON, and values near the border between right and wrong. */
function values({ enum: words = [], minimum = 0, maximum = 0 }: Shape): fc.Arbitrary<unknown> {
	const near = [minimum - 1, minimum, minimum + 0.5, maximum, maximum + 1].flatMap((number) => [
		number,
		String(number),
	]);
	const urls = [
		"http://a.test",
		"HTTPS://a.test/b",
		"ftp://a.test",
		"a.test:1",
		"redis://a.test:1/0",
		"http://a, https://b:1",
	];
	const odd = [
		null,
		"",
		" ",
		"1",
		"true",
		"yes",
		"a=b",
		["http://a.test"],
		["1"],
		[],
		{},
		{ a: "b" },
		{ a: "agent" },
		{ a: 1 },
	];
	return fc.oneof(fc.jsonValue(), fc.string(), fc.integer(), fc.constantFrom(...near, ...urls, ...odd, ...words));
}

describe.each(NAMES)("the schema and the program agree about %s", (name) => {
	const shape = shapeOf(name);
	const isTextual = shape.type === "string" || shape.enum !== undefined;

	it("on every value", () => {
		fc.assert(
			fc.property(values(shape), (value) => {
				const [bySchema, byProgram] = [schemaTakes(name, value), programTakes(name, value)];
				if (typeof value !== "string") expect(bySchema).toBe(byProgram);
				// Only the program reads numbers, true, false and pairs from text, as it has to from a variable.
				else if (!isTextual) expect(bySchema).toBe(false);
				// Only the program takes a URL apart; what the schema refuses, it refuses too.
				else if (shape.pattern === undefined) expect(bySchema).toBe(byProgram);
				else expect(bySchema || !byProgram).toBe(true);
			}),
			{ numRuns: 300 },
		);
	});

	it("on the default", () => {
		expect(schemaTakes(name, SETTINGS[name].default)).toBe(programTakes(name, SETTINGS[name].default));
		expect(configSchema()).toHaveProperty(["properties", name, "description"], SETTINGS[name].about);
	});
});

it.each<[name: SettingName, wrong: string]>([
	["upstream", "api2.cursor.sh"],
	["website", "ftp://cursor.com"],
	["redis", "localhost:6379"],
	["allowOrigins", "*"],
	["allowOrigins", "localhost:3000"],
	["allowOrigins", "http://localhost:3000/"],
])("the schema sees what is most often wrong about a URL: %s %j", (name, wrong) => {
	expect([schemaTakes(name, wrong), programTakes(name, wrong)]).toEqual([false, false]);
});

it("takes every example of config.json in the documents", () => {
	const text = readFileSync(new URL("../../../../docs/configuration.md", import.meta.url), "utf8");
	const inline = [...text.matchAll(/`(\{ .*? \})`/g)].map(([, example]) => example!);
	const blocks = [...text.matchAll(/^```jsonc\n([^`]*)^```$/gm)].map(([, example]) => example!);
	expect([inline.length, blocks.length]).toEqual([1, 1]);
	for (const example of [...inline, ...blocks])
		expect([validate(JSON.parse(example)), validate.errors]).toEqual([true, null]);
});

it("refuses a name that is no setting", () => {
	expect(validate({ prot: 4280 })).toBe(false);
	expect(validate({ $schema: "./config.schema.json", port: 4280 })).toBe(true);
});
