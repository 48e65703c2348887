// Every start of a program reads the outlines of all files, so this looks at each byte once and copies nothing.

/** Where the types of a FileDescriptorProto are: enough to name them, without reading their fields. */
export interface FileOutline {
	package: string;
	/** The file without its types. */
	header: Part[];
	messages: MessageOutline[];
	enums: TypeOutline[];
	services: TypeOutline[];
}

export interface TypeOutline {
	name: string;
	part: Part;
}

export interface MessageOutline extends TypeOutline {
	messages: MessageOutline[];
	enums: TypeOutline[];
}

/** A field of a message in binary form. It starts with its number, and its content with what comes after its length. */
export interface Part {
	no: number;
	start: number;
	content: number;
	end: number;
}

const NAME = 1;
const FILE = { package: 2, message: 4, enum: 5, service: 6 };
const MESSAGE = { field: 2, message: 3, enum: 4, options: 7 };
const MAP_ENTRY = 7;
const TYPE_OF_FIELD = 6;
const METHOD_OF_SERVICE = 2;
const TYPES_OF_METHOD = [2, 3];

const isAny = (): boolean => true;
const isName = (no: number): boolean => no === NAME;
/** Most of a message is fields, and an outline has no use for them. */
const isOutlined = (no: number): boolean => no !== MESSAGE.field;

export function outlineFile(file: Buffer): FileOutline {
	const parts = partsOf(file, { content: 0, end: file.length }, isAny);
	return {
		package: textOf(file, parts, FILE.package),
		header: parts.filter(({ no }) => no < FILE.message || no > FILE.service),
		messages: outlineMessages(file, parts, FILE.message),
		enums: outlineTypes(file, parts, FILE.enum),
		services: outlineTypes(file, parts, FILE.service),
	};
}

/** The full names of the types that the fields of a message, and of the messages in it, have. */
export function typesOfFields(file: Buffer, message: Part): string[] {
	const parts = partsOf(file, message, isAny);
	return [
		...listOf(parts, MESSAGE.field).flatMap((field) =>
			fullName(textOf(file, partsOf(file, field, isAny), TYPE_OF_FIELD)),
		),
		...listOf(parts, MESSAGE.message).flatMap((nested) => typesOfFields(file, nested)),
	];
}

/** The full names of what the methods of a service take and return. */
export function typesOfMethods(file: Buffer, service: Part): string[] {
	const methods = listOf(partsOf(file, service, isAny), METHOD_OF_SERVICE);
	return methods.flatMap((method) => {
		const parts = partsOf(file, method, isAny);
		return TYPES_OF_METHOD.flatMap((no) => fullName(textOf(file, parts, no)));
	});
}

/** Without the entries of maps: they have the form of messages, but nobody can name them. */
function outlineMessages(file: Buffer, list: Part[], no: number): MessageOutline[] {
	return listOf(list, no).flatMap((part) => {
		const parts = partsOf(file, part, isOutlined);
		if (isMapEntry(file, parts)) return [];
		return {
			name: textOf(file, parts, NAME),
			part,
			messages: outlineMessages(file, parts, MESSAGE.message),
			enums: outlineTypes(file, parts, MESSAGE.enum),
		};
	});
}

const outlineTypes = (file: Buffer, list: Part[], no: number): TypeOutline[] =>
	listOf(list, no).map((part) => ({ name: textOf(file, partsOf(file, part, isName), NAME), part }));

function isMapEntry(file: Buffer, message: Part[]): boolean {
	const options = listOf(message, MESSAGE.options).flatMap((part) => partsOf(file, part, isAny));
	return options.some(({ no }) => no === MAP_ENTRY);
}

/** Names in fields start with a dot. A field whose type has no name gives an empty one. */
const fullName = (name: string): string[] => (name === "" ? [] : [name.replace(/^\./, "")]);

function partsOf(file: Buffer, { content, end }: Pick<Part, "content" | "end">, isWanted: (no: number) => boolean) {
	const parts: Part[] = [];
	for (let start = content; start < end; ) {
		const part = partAt(file, start);
		if (isWanted(part.no)) parts.push(part);
		start = part.end;
	}
	return parts;
}

/** Descriptors consist of numbers, which end with the first byte below 128, and of parts with a length. */
function partAt(file: Buffer, start: number): Part {
	const afterTag = afterVarint(file, start);
	const tag = varint(file, start, afterTag);
	const content = afterVarint(file, afterTag);
	const no = tag >>> 3;
	if ((tag & 7) === 0) return { no, start, content, end: content };
	if ((tag & 7) !== 2) throw new Error(`a descriptor has an unexpected tag: ${tag}`);
	return { no, start, content, end: content + varint(file, afterTag, content) };
}

function afterVarint(file: Buffer, at: number): number {
	let end = at;
	while (file[end]! >= 128) end++;
	return end + 1;
}

function varint(file: Buffer, from: number, to: number): number {
	let value = 0;
	for (let at = to - 1; at >= from; at--) value = value * 128 + (file[at]! & 127);
	return value;
}

const listOf = (parts: Part[], no: number): Part[] => parts.filter((part) => part.no === no);

function textOf(file: Buffer, parts: Part[], no: number): string {
	const part = parts.find((each) => each.no === no);
	return part ? file.toString("utf8", part.content, part.end) : "";
}
