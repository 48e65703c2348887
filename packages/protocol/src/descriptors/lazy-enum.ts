import type { DescEnum, DescEnumValue } from "@bufbuild/protobuf";
import type { HomeFile, HomeMessage } from "./home-file.ts";
import type { Part, TypeOutline } from "./outline.ts";

/** An enumeration whose values are read when they are asked for. */
export class LazyEnum implements DescEnum {
	readonly kind = "enum";
	readonly name: string;
	readonly typeName: string;
	readonly file: HomeFile;
	readonly parent: HomeMessage | undefined;
	readonly #part: Part;
	#read: DescEnum | undefined;

	constructor(file: HomeFile, parent: HomeMessage | undefined, scope: string, outline: TypeOutline) {
		this.name = outline.name;
		this.typeName = `${scope}.${outline.name}`;
		this.file = file;
		this.parent = parent;
		this.#part = outline.part;
		file.add(this);
	}

	get open(): boolean {
		return this.#details().open;
	}

	get values(): DescEnumValue[] {
		return this.#details().values;
	}

	get value(): Record<number, DescEnumValue> {
		return this.#details().value;
	}

	get sharedPrefix(): string | undefined {
		return this.#details().sharedPrefix;
	}

	get deprecated(): boolean {
		return this.#details().deprecated;
	}

	get proto(): DescEnum["proto"] {
		return this.#details().proto;
	}

	toString(): string {
		return `enum ${this.typeName}`;
	}

	adopt(read: DescEnum): void {
		this.#read = read;
		for (const value of read.values as { parent: DescEnum }[]) value.parent = this;
	}

	#details(): DescEnum {
		if (!this.#read) {
			if (this.parent) this.parent.read();
			else this.adopt(this.file.only(this.#part, []).enums[0]!);
		}
		return this.#read!;
	}
}
