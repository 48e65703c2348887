// What a library's own declarations say about the values that its users are given, as a check of such values.
import { fileURLToPath } from "node:url";
import { Ajv, type AnySchemaObject, type SchemaObject } from "ajv";
import { createGenerator } from "ts-json-schema-generator";

export interface Findings {
	/** What is against the declaration, as lines. */
	violations: string[];
	/**
	 * Places where the declaration and the value differ by null and nothing: a field that may be null is left out, or
	 * one that may be left out is null. Libraries read both the same way and the APIs themselves do both, so this is
	 * nothing wrong; but it is to be known.
	 */
	notes: string[];
}

export interface Exceptions {
	/** Fields that the library adds to what it received, as `Type.field`. */
	addedByLibrary?: string[];
	/** Fields with a list of values that the API does not hold to, as `Type.field`. */
	openLists?: string[];
}

/** Makes a check of the declarations that an interface in a file of this folder names. It takes a few seconds. */
export function publishedTypes<Types>(file: string, type: string, exceptions: Exceptions = {}) {
	const generator = createGenerator({
		path: pathOf(file),
		type,
		tsconfig: pathOf("tsconfig.json"),
		skipTypeCheck: true,
		// What an API has beyond its declarations is no mistake: neither OpenAI nor Anthropic holds to that.
		additionalProperties: true,
		jsDoc: "none",
		expose: "all",
	});
	const { definitions = {} } = generator.createSchema(type) as { definitions?: Record<string, AnySchemaObject> };
	except(definitions, exceptions);
	const notes = new Set<string>();
	const ajv = new Ajv({ allErrors: true, allowUnionTypes: true, discriminator: true, strict: false });
	ajv.addKeyword({
		keyword: "mayBeLeftOut",
		type: "object",
		validate: (names: string[], value: object, _schema: unknown, place: Place) => {
			for (const name of names) if (!(name in value)) notes.add(`${pathIn(place)}/${name} is left out`);
			return true;
		},
	});
	ajv.addKeyword({
		keyword: "mayBeNull",
		type: "null",
		validate: (_: unknown, __: null, ___: unknown, place: Place) => {
			notes.add(`${pathIn(place)} is null`);
			return true;
		},
	});
	ajv.addSchema({ $id: "declared", definitions: new Relaxed(definitions).definitions });

	return (name: keyof Types & string, value: unknown): Findings => {
		notes.clear();
		const check = ajv.getSchema(`declared#/definitions/${type}/properties/${name}`)!;
		const isValid = check(value);
		const lines = (check.errors ?? []).map(
			({ instancePath, message, params }) => `${instancePath || "/"} ${message} ${JSON.stringify(params)}`,
		);
		return { violations: isValid ? [] : lines, notes: [...notes].sort() };
	};
}

type Place = { instancePath: string } | undefined;

/** Where a value is, whatever its number in a list. */
const pathIn = (place: Place) => (place?.instancePath ?? "").replaceAll(/\/\d+/g, "");

function except(definitions: Record<string, AnySchemaObject>, { addedByLibrary = [], openLists = [] }: Exceptions) {
	for (const [type, field] of addedByLibrary.map((name) => name.split("."))) {
		const definition = definitions[type!]!;
		definition.required = definition.required.filter((name: string) => name !== field);
	}
	for (const [type, field] of openLists.map((name) => name.split("."))) {
		delete definitions[type!]!.properties[field!].enum;
	}
}

const pathOf = (file: string) => fileURLToPath(new URL(file, import.meta.url));

/** Schemas that take null and nothing for the same, and in which unions are told apart by their tags. */
class Relaxed {
	readonly definitions: Record<string, SchemaObject>;
	readonly #given: Record<string, AnySchemaObject>;

	constructor(given: Record<string, AnySchemaObject>) {
		this.#given = given;
		this.definitions = this.#change(given) as Record<string, SchemaObject>;
	}

	#change(value: unknown): unknown {
		if (Array.isArray(value)) return value.map((item) => this.#change(item));
		if (typeof value !== "object" || value === null) return value;
		const changed = Object.fromEntries(Object.entries(value).map(([key, item]) => [key, this.#change(item)]));
		const { anyOf, required, properties } = value as AnySchemaObject;
		if (properties) {
			const names: string[] = required ?? [];
			changed.mayBeLeftOut = names.filter((name) => this.#mayBeNull(properties[name]));
			changed.required = names.filter((name) => !this.#mayBeNull(properties[name]));
			changed.properties = Object.fromEntries(
				Object.entries(changed.properties as Record<string, SchemaObject>).map(([name, schema]) => {
					const isClear = names.includes(name) || this.#mayBeNull(properties[name]);
					return [name, isClear ? schema : { anyOf: [{ type: "null", mayBeNull: true }, schema] }];
				}),
			);
		}
		if (Array.isArray(anyOf) && this.#hasTags(anyOf)) {
			const { anyOf: oneOf, ...rest } = changed;
			return { ...rest, type: "object", required: ["type"], discriminator: { propertyName: "type" }, oneOf };
		}
		return changed;
	}

	/** Whether each of the alternatives has a `type` of its own. */
	#hasTags(alternatives: AnySchemaObject[]): boolean {
		const tags = alternatives.flatMap((alternative) => {
			const { required, properties } = this.#resolve(alternative);
			const tag = required?.includes("type") ? properties?.type : undefined;
			return tag?.const ?? tag?.enum ?? [undefined];
		});
		return tags.every((tag: unknown) => typeof tag === "string") && new Set(tags).size === tags.length;
	}

	#mayBeNull(schema: AnySchemaObject): boolean {
		const { type, anyOf, enum: values, const: only } = this.#resolve(schema);
		if (anyOf) return anyOf.some((alternative: AnySchemaObject) => this.#mayBeNull(alternative));
		return [type].flat().includes("null") || values?.includes(null) || only === null;
	}

	#resolve(schema: AnySchemaObject): AnySchemaObject {
		const name = schema.$ref && decodeURIComponent(schema.$ref.slice("#/definitions/".length));
		return name ? this.#resolve(this.#given[name]!) : schema;
	}
}
