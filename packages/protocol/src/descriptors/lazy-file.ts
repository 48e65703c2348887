// What generated code calls in place of `fileDesc` of protobuf-es. That one builds the descriptors of every field of every
// message when a file is imported, and a turn uses a small part of them. Here a message gets its fields when somebody
// asks for them, from protobuf-es itself: as the only type of a file (ADR 32).
import { createRegistry, type DescEnum, type DescFile, type DescMessage } from "@bufbuild/protobuf";
import { type GenFile, fileDesc as readFile } from "@bufbuild/protobuf/codegenv2";
import type { HomeFile, NamedType } from "./home-file.ts";
import { LazyEnum } from "./lazy-enum.ts";
import { LazyMessage } from "./lazy-message.ts";
import { LazyService } from "./lazy-service.ts";
import { outlineFile, type Part } from "./outline.ts";

export function fileDesc(base64: string, imports: DescFile[] = []): GenFile {
	return new LazyFile(base64, imports);
}

class LazyFile implements HomeFile {
	readonly kind = "file";
	readonly dependencies: DescFile[];
	readonly messages: LazyMessage[];
	readonly enums: LazyEnum[];
	readonly services: LazyService[];
	readonly extensions = [];
	readonly bytes: Buffer;
	readonly #header: Part[];
	readonly #types = new Map<string, NamedType>();
	#empty: DescFile | undefined;
	#whole: DescFile | undefined;

	constructor(base64: string, imports: DescFile[]) {
		this.bytes = Buffer.from(base64, "base64");
		const outline = outlineFile(this.bytes);
		this.#header = outline.header;
		this.dependencies = imports;
		this.messages = outline.messages.map((message) => new LazyMessage(this, undefined, outline.package, message));
		this.enums = outline.enums.map((each) => new LazyEnum(this, undefined, outline.package, each));
		this.services = outline.services.map((service) => new LazyService(this, outline.package, service));
	}

	get name(): string {
		return this.#withoutTypes().name;
	}

	get edition(): DescFile["edition"] {
		return this.#withoutTypes().edition;
	}

	get deprecated(): boolean {
		return this.#withoutTypes().deprecated;
	}

	get proto(): DescFile["proto"] {
		this.#whole ??= readFile(this.bytes.toString("base64"), this.dependencies);
		return this.#whole.proto;
	}

	toString(): string {
		return `file ${this.name}.proto`;
	}

	add(type: NamedType): void {
		this.#types.set(type.typeName, type);
	}

	typeNamed(name: string): NamedType {
		for (const file of [this, ...this.dependencies]) {
			const type = file instanceof LazyFile ? file.#types.get(name) : createRegistry(file).get(name);
			if (type?.kind === "message" || type?.kind === "enum") return type;
		}
		throw new Error(`${this} names ${name}, which neither it nor a file that it imports has`);
	}

	only(type: Part, names: readonly string[]): DescFile {
		const mentioned = names.map((name) => this.typeNamed(name));
		const others: DescFile = {
			...readFile(""),
			messages: mentioned.filter(({ kind }) => kind === "message") as DescMessage[],
			enums: mentioned.filter(({ kind }) => kind === "enum") as DescEnum[],
		};
		return this.#read([...this.#header, type], [others]);
	}

	#withoutTypes(): DescFile {
		this.#empty ??= this.#read(this.#header, []);
		return this.#empty;
	}

	#read(parts: Part[], imports: DescFile[]): DescFile {
		const bytes = Buffer.concat(parts.map(({ start, end }) => this.bytes.subarray(start, end)));
		return readFile(bytes.toString("base64"), imports);
	}
}
