import type { ImagePart, TextPart } from "../../turn/request.ts";
import { invalid } from "./invalid.ts";
import type { Warnings } from "./warnings.ts";
import { toText } from "./well-formed.ts";

export type Parts = (TextPart | ImagePart)[];

export type DecodePart<P> = (part: P, param: string) => TextPart | ImagePart;

/** The types of parts that an API of OpenAI has. */
export interface PartTypes<P> {
	/** Those that carry something for the model. */
	decoders: ReadonlyMap<string, DecodePart<P>>;
	/** The user's own material that cannot be sent: without it the model would answer another question. */
	refused: ReadonlySet<string>;
	/** What a type must be in place of a refused one. */
	accepted: string;
}

type Content<P> = string | readonly P[] | null | undefined;

/** The content of a message. Parts of unknown types are left aside with a warning. */
export function decodeParts<P extends { type: string }>(
	content: Content<P>,
	types: PartTypes<P>,
	param: string,
	warnings: Warnings,
): Parts {
	if (content === null || content === undefined) return [];
	if (typeof content === "string") return [toText(content)];
	return content.flatMap((part, index) => decodePart(part, types, `${param}[${index}]`, warnings));
}

function decodePart<P extends { type: string }>(
	part: P,
	{ decoders, refused, accepted }: PartTypes<P>,
	param: string,
	warnings: Warnings,
): Parts {
	const decode = decoders.get(part.type);
	if (decode) return [decode(part, param)];
	if (refused.has(part.type)) {
		throw invalid(`${param}.type`, `must be ${accepted}: audio, video and files cannot be sent`);
	}
	warnings.add(`${param}: parts of this type are not known and are left aside`);
	return [];
}

/** The texts alone, where images cannot be sent. The warning about an image says who may send one. */
export function textsOnly(parts: Parts, param: string, senders: string, warnings: Warnings): TextPart[] {
	return parts.filter((part) => {
		if (part.type === "image") warnings.add(`${param}: only ${senders} may hold images`);
		return part.type === "text";
	});
}

export function decodeTextPart({ text }: { text?: string | null | undefined }, param: string): TextPart {
	if (typeof text !== "string") throw invalid(`${param}.text`, "is required and must be a string");
	return toText(text);
}

export function decodeRefusalPart({ refusal }: { refusal?: string | null | undefined }, param: string): TextPart {
	if (typeof refusal !== "string") throw invalid(`${param}.refusal`, "is required and must be a string");
	return toText(refusal);
}
