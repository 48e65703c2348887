import { BinaryReader, WireType } from "@bufbuild/protobuf/wire";

/** Where the types of a FileDescriptorProto are: enough to name them, without reading their fields. */
export interface FileOutline {
	package: string;
	/** The file without its types. */
	header: Uint8Array;
	messages: MessageOutline[];
	enums: TypeOutline[];
	services: TypeOutline[];
}

export interface TypeOutline {
	name: string;
	/** As an entry of the list that it is in, with the number of that list. */
	entry: Uint8Array;
}

export interface MessageOutline extends TypeOutline {
	/** Without the entries of maps, as in the descriptors of protobuf-es. */
	messages: MessageOutline[];
	enums: TypeOutline[];
}

/** A field of a message in binary form: its number, itself with its tag, and its content if it has a length. */
interface Part {
	no: number;
	entry: Uint8Array;
	content: Uint8Array;
}

const NOTHING = new Uint8Array();
const NAME = 1;
const FILE = { package: 2, message: 4, enum: 5, service: 6 };
const MESSAGE = { field: 2, message: 3, enum: 4, options: 7 };
const MAP_ENTRY = 7;
const TYPE_OF_FIELD = 6;
const METHOD_OF_SERVICE = 2;
const TYPES_OF_METHOD = [2, 3];

export function outlineFile(bytes: Uint8Array): FileOutline {
	const parts = partsOf(bytes);
	const types = Object.values(FILE).slice(1);
	return {
		package: textOf(parts, FILE.package),
		header: Buffer.concat(parts.filter(({ no }) => !types.includes(no)).map(({ entry }) => entry)),
		messages: listOf(parts, FILE.message).map(outlineMessage),
		enums: listOf(parts, FILE.enum).map(outlineType),
		services: listOf(parts, FILE.service).map(outlineType),
	};
}

/** The full names of the types that the fields of a message, and of the messages in it, have. */
export function typesOfFields(message: Uint8Array): string[] {
	const parts = partsOf(contentOf(message));
	return [
		...listOf(parts, MESSAGE.field).map(({ content }) => textOf(partsOf(content), TYPE_OF_FIELD)),
		...listOf(parts, MESSAGE.message).flatMap(({ entry }) => typesOfFields(entry)),
	].flatMap(fullName);
}

/** The full names of what the methods of a service take and return. */
export function typesOfMethods(service: Uint8Array): string[] {
	const methods = listOf(partsOf(contentOf(service)), METHOD_OF_SERVICE).map(({ content }) => partsOf(content));
	return methods.flatMap((method) => TYPES_OF_METHOD.flatMap((no) => fullName(textOf(method, no))));
}

function outlineMessage({ entry, content }: Part): MessageOutline {
	const parts = partsOf(content);
	return {
		name: textOf(parts, NAME),
		entry,
		messages: listOf(parts, MESSAGE.message)
			.filter((nested) => !isMapEntry(nested))
			.map(outlineMessage),
		enums: listOf(parts, MESSAGE.enum).map(outlineType),
	};
}

const outlineType = ({ entry, content }: Part): TypeOutline => ({ name: textOf(partsOf(content), NAME), entry });

const isMapEntry = ({ content }: Part): boolean =>
	listOf(partsOf(content), MESSAGE.options).some((options) =>
		partsOf(options.content).some(({ no }) => no === MAP_ENTRY),
	);

/** Names in fields start with a dot. A field without a type by name has an empty one. */
const fullName = (name: string): string[] => (name === "" ? [] : [name.replace(/^\./, "")]);

function partsOf(bytes: Uint8Array): Part[] {
	const reader = new BinaryReader(bytes);
	const parts: Part[] = [];
	while (reader.pos < reader.len) {
		const start = reader.pos;
		const [no, wireType] = reader.tag();
		const content = wireType === WireType.LengthDelimited ? reader.bytes() : NOTHING;
		if (wireType !== WireType.LengthDelimited) reader.skip(wireType, no);
		parts.push({ no, entry: bytes.subarray(start, reader.pos), content });
	}
	return parts;
}

const listOf = (parts: Part[], no: number): Part[] => parts.filter((part) => part.no === no);

const textOf = (parts: Part[], no: number): string =>
	Buffer.from(parts.findLast((part) => part.no === no)?.content ?? NOTHING).toString();

const contentOf = (entry: Uint8Array): Uint8Array => partsOf(entry)[0]!.content;
