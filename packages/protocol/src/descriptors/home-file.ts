import type { DescEnum, DescFile, DescMessage } from "@bufbuild/protobuf";
import type { Part } from "./outline.ts";

export type NamedType = DescMessage | DescEnum;

/** What lazy types need from the file that they are in. */
export interface HomeFile extends DescFile {
	/** In binary form, a FileDescriptorProto. */
	readonly bytes: Buffer;
	add(type: NamedType): void;
	/** A type of this file or of one that it imports. */
	typeNamed(name: string): NamedType;
	/** This file with only one of its types. The names are those of other types that this one mentions. */
	only(type: Part, names: readonly string[]): DescFile;
}

/** A message that other types are in. */
export interface HomeMessage extends DescMessage {
	/** Reads the message, with the one that it is in and all that are in that one: a file has them as one entry. */
	read(): void;
}
