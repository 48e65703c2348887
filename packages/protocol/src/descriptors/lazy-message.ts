import type { DescEnum, DescField, DescMessage, DescOneof } from "@bufbuild/protobuf";
import type { HomeFile, HomeMessage } from "./home-file.ts";
import { LazyEnum } from "./lazy-enum.ts";
import { type MessageOutline, type Part, typesOfFields } from "./outline.ts";

type Writable<T> = { -readonly [Key in keyof T]: T[Key] };

/** A message whose fields are read when they are asked for. Every field that has this type refers to this object. */
export class LazyMessage implements HomeMessage {
	readonly kind = "message";
	readonly name: string;
	readonly typeName: string;
	readonly file: HomeFile;
	readonly parent: HomeMessage | undefined;
	readonly nestedMessages: LazyMessage[];
	readonly nestedEnums: LazyEnum[];
	readonly nestedExtensions = [];
	readonly #part: Part;
	#read: DescMessage | undefined;

	constructor(file: HomeFile, parent: HomeMessage | undefined, scope: string, outline: MessageOutline) {
		this.name = outline.name;
		this.typeName = `${scope}.${outline.name}`;
		this.file = file;
		this.parent = parent;
		this.#part = outline.part;
		this.nestedMessages = outline.messages.map((message) => new LazyMessage(file, this, this.typeName, message));
		this.nestedEnums = outline.enums.map((each) => new LazyEnum(file, this, this.typeName, each));
		file.add(this);
	}

	get fields(): DescField[] {
		return this.#details().fields;
	}

	get field(): Record<string, DescField> {
		return this.#details().field;
	}

	get oneofs(): DescOneof[] {
		return this.#details().oneofs;
	}

	get members(): (DescField | DescOneof)[] {
		return this.#details().members;
	}

	get deprecated(): boolean {
		return this.#details().deprecated;
	}

	get proto(): DescMessage["proto"] {
		return this.#details().proto;
	}

	toString(): string {
		return `message ${this.typeName}`;
	}

	read(): void {
		if (this.parent) return this.parent.read();
		const inside = (name: string) => name === this.typeName || name.startsWith(`${this.typeName}.`);
		const others = typesOfFields(this.file.bytes, this.#part).filter((name) => !inside(name));
		this.#adopt(this.file.only(this.#part, others).messages[0]!);
	}

	#details(): DescMessage {
		if (!this.#read) this.read();
		return this.#read!;
	}

	#adopt(read: DescMessage): void {
		this.#read = read;
		for (const [index, message] of this.nestedMessages.entries()) message.#adopt(read.nestedMessages[index]!);
		for (const [index, each] of this.nestedEnums.entries()) each.adopt(read.nestedEnums[index]!);
		for (const oneof of read.oneofs as Writable<DescOneof>[]) oneof.parent = this;
		for (const field of read.fields as Writable<DescField>[]) {
			field.parent = this;
			if (field.message) field.message = this.file.typeNamed(field.message.typeName) as DescMessage;
			if (field.enum) field.enum = this.file.typeNamed(field.enum.typeName) as DescEnum;
		}
	}
}
