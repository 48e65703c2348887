import type { DescField, DescMessage, Message, UnknownField } from "@bufbuild/protobuf";
import { WireType } from "@bufbuild/protobuf/wire";
import { LEFT_OUT } from "@cursorwire/protocol/left-out";

/**
 * A part of a message from Cursor that is unknown to this version. It holds only names, numbers and wire types, never
 * content. `kind` is an unknown field in a message whose oneof has no known case, which means a new kind of message,
 * request or query.
 */
export interface UnknownPart {
	what: "field" | "kind" | "enum-value";
	/** The field names from the outermost message on. An unknown field is given by its number. */
	path: string;
	/** The message type that contains the field. */
	message: string;
	field: number;
	/** Set for an unknown field. */
	wireType?: WireTypeName;
	/** Set for an unknown enum value. */
	value?: number;
}

const WIRE_TYPES = {
	[WireType.Varint]: "varint",
	[WireType.Bit64]: "64-bit",
	[WireType.LengthDelimited]: "length-delimited",
	[WireType.StartGroup]: "group",
	[WireType.EndGroup]: "group",
	[WireType.Bit32]: "32-bit",
} as const;
type WireTypeName = (typeof WIRE_TYPES)[WireType];

/** Limits on how deep a message is inspected, and on how many unknown parts of it are reported. */
const DEEPEST = 64;
const MOST_PARTS = 256;

/** How to inspect a field that can hold something unknown: a message or an enum. */
interface Look {
	field: DescField;
	/** The field's own property, or that of its oneof. */
	property: string;
	shape: "one" | "list" | "map";
	message: DescMessage | undefined;
	values: ReadonlySet<number> | undefined;
}

interface Plan {
	single: readonly Look[];
	oneofs: readonly { property: string; cases: ReadonlyMap<string, Look> }[];
	leftOut: ReadonlySet<number>;
}

type Fields = Record<string, unknown> & { $unknown?: UnknownField[] };

/** Reports every unknown part of a decoded message. */
export function tellUnknown(schema: DescMessage, message: Message, tell: (part: UnknownPart) => void): void {
	new Walk(tell).message(schema, message as unknown as Fields, 0);
}

class Walk {
	readonly #tell: (part: UnknownPart) => void;
	readonly #names: string[] = [];
	#told = 0;

	constructor(tell: (part: UnknownPart) => void) {
		this.#tell = tell;
	}

	message(schema: DescMessage, fields: Fields, depth: number): void {
		if (depth === 0) this.#names.push(schema.typeName);
		const plan = planOf(schema);
		if (fields.$unknown) this.#unknown(schema, plan, fields, fields.$unknown);
		if (depth === DEEPEST) return;
		for (const look of plan.single) this.#field(schema, look, fields[look.property], depth);
		for (const { property, cases } of plan.oneofs) {
			const chosen = fields[property] as { case?: string; value?: unknown };
			const look = chosen.case === undefined ? undefined : cases.get(chosen.case);
			if (look) this.#field(schema, look, chosen.value, depth);
		}
	}

	#field(schema: DescMessage, look: Look, value: unknown, depth: number): void {
		if (value === undefined) return;
		if (look.shape === "one") return this.#value(schema, look, value, depth);
		const values = look.shape === "list" ? (value as unknown[]) : Object.values(value as object);
		for (const each of values) this.#value(schema, look, each, depth);
	}

	#value(schema: DescMessage, look: Look, value: unknown, depth: number): void {
		if (look.values) {
			if (look.values.has(value as number)) return;
			const { name, number: field } = look.field;
			const path = this.#path(name);
			return this.#part({ what: "enum-value", path, message: schema.typeName, field, value: value as number });
		}
		this.#names.push(look.field.name);
		this.message(look.message!, value as Fields, depth + 1);
		this.#names.pop();
	}

	#unknown(schema: DescMessage, { leftOut, oneofs }: Plan, fields: Fields, unknown: readonly UnknownField[]): void {
		const hasNoKind = oneofs.some(({ property }) => (fields[property] as { case?: string }).case === undefined);
		for (const { no, wireType } of unknown) {
			if (this.#told === MOST_PARTS) return;
			if (leftOut.has(no)) continue;
			const what = hasNoKind && wireType === WireType.LengthDelimited ? "kind" : "field";
			const path = this.#path(String(no));
			this.#part({ what, path, message: schema.typeName, field: no, wireType: WIRE_TYPES[wireType] });
		}
	}

	#path(name: string): string {
		return `${this.#names.join(".")}.${name}`;
	}

	#part(part: UnknownPart): void {
		if (this.#told === MOST_PARTS) return;
		this.#told += 1;
		this.#tell(part);
	}
}

const plans = new Map<DescMessage, Plan>();

function planOf(schema: DescMessage): Plan {
	const known = plans.get(schema);
	if (known) return known;
	const plan: Plan = {
		single: schema.fields.filter(({ oneof }) => !oneof).flatMap((field) => lookOf(field, field.localName)),
		oneofs: schema.oneofs.map(({ localName, fields }) => ({
			property: localName,
			cases: new Map(fields.flatMap((field) => lookOf(field, localName).map((look) => [field.localName, look]))),
		})),
		leftOut: new Set((LEFT_OUT[schema.typeName] ?? "").split(" ").map(Number)),
	};
	plans.set(schema, plan);
	return plan;
}

/**
 * Empty if the field cannot hold anything unknown. Google's own messages do not change, and some are plain JSON here.
 */
function lookOf(field: DescField, property: string): Look[] {
	const { message, enum: values } = field;
	if (message ? message.typeName.startsWith("google.protobuf.") : !values) return [];
	const shape = field.fieldKind === "list" || field.fieldKind === "map" ? field.fieldKind : "one";
	return [{ field, property, shape, message, values: values && new Set(values.values.map(({ number }) => number)) }];
}
