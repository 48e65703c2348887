import type { ImagePart, TextPart } from "../../turn/request.ts";
import { decodeImageUrl } from "../shared/images.ts";
import { invalid } from "../shared/invalid.ts";
import type { Warnings } from "../shared/warnings.ts";
import { toText } from "../shared/well-formed.ts";
import type { ChatMessage, ChatPart } from "./schema.ts";

type DecodePart = (part: ChatPart, param: string) => TextPart | ImagePart;

/** The parts that carry something for the model. Some clients use the names of the Responses API. */
const DECODERS: ReadonlyMap<string, DecodePart> = new Map<string, DecodePart>([
	["text", decodeText],
	["input_text", decodeText],
	["output_text", decodeText],
	["refusal", decodeRefusal],
	["image_url", decodeImagePart],
	["input_image", decodeImagePart],
]);

/** The user's own material, which cannot be sent: to leave it out would answer another question than was asked. */
const REFUSED: ReadonlySet<string> = new Set(["input_audio", "file", "input_file", "video_url"]);

/** The content of a message. Parts of unknown types are left aside with a warning. */
export function decodeContent(
	content: ChatMessage["content"],
	param: string,
	warnings: Warnings,
): (TextPart | ImagePart)[] {
	if (content === null || content === undefined) return [];
	if (typeof content === "string") return [toText(content)];
	return content.flatMap((part, index) => decodePart(part, `${param}[${index}]`, warnings));
}

/** The same where only text is of use: images are left aside with a warning. */
export function decodeTextContent(content: ChatMessage["content"], param: string, warnings: Warnings): TextPart[] {
	return decodeContent(content, param, warnings).filter((part) => {
		if (part.type === "image") warnings.add(`${param}: only user and tool messages may hold images`);
		return part.type === "text";
	});
}

function decodePart(part: ChatPart, param: string, warnings: Warnings): (TextPart | ImagePart)[] {
	const decode = DECODERS.get(part.type);
	if (decode) return [decode(part, param)];
	if (REFUSED.has(part.type))
		throw invalid(`${param}.type`, "must be text or image_url: audio, video and files cannot be sent");
	warnings.add(`${param}: parts of this type are not known and are left aside`);
	return [];
}

function decodeText({ text }: ChatPart, param: string): TextPart {
	if (typeof text !== "string") throw invalid(`${param}.text`, "is required and must be a string");
	return toText(text);
}

function decodeRefusal({ refusal }: ChatPart, param: string): TextPart {
	if (typeof refusal !== "string") throw invalid(`${param}.refusal`, "is required and must be a string");
	return toText(refusal);
}

function decodeImagePart({ image_url: image }: ChatPart, param: string): ImagePart {
	if (typeof image === "string") return decodeImageUrl(image, `${param}.image_url`);
	if (!image) throw invalid(`${param}.image_url`, "is required and must be an object with a url");
	return decodeImageUrl(image.url, `${param}.image_url.url`);
}
