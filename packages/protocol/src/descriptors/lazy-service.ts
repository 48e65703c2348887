import type { DescMethod, DescService } from "@bufbuild/protobuf";
import type { HomeFile } from "./home-file.ts";
import { type Part, type TypeOutline, typesOfMethods } from "./outline.ts";

/** A service whose methods are read when they are asked for. */
export class LazyService implements DescService {
	readonly kind = "service";
	readonly name: string;
	readonly typeName: string;
	readonly file: HomeFile;
	readonly #part: Part;
	#read: DescService | undefined;

	constructor(file: HomeFile, scope: string, outline: TypeOutline) {
		this.name = outline.name;
		this.typeName = `${scope}.${outline.name}`;
		this.file = file;
		this.#part = outline.part;
	}

	get methods(): DescMethod[] {
		return this.#details().methods;
	}

	get method(): Record<string, DescMethod> {
		return this.#details().method;
	}

	get deprecated(): boolean {
		return this.#details().deprecated;
	}

	get proto(): DescService["proto"] {
		return this.#details().proto;
	}

	toString(): string {
		return `service ${this.typeName}`;
	}

	#details(): DescService {
		if (!this.#read) {
			this.#read = this.file.only(this.#part, typesOfMethods(this.file.bytes, this.#part)).services[0]!;
			for (const method of this.#read.methods as { parent: DescService }[]) method.parent = this;
		}
		return this.#read;
	}
}
