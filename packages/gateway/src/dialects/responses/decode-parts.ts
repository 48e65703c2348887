import type { ImagePart, TextPart } from "../../turn/request.ts";
import { decodeImageUrl } from "../shared/images.ts";
import { invalid } from "../shared/invalid.ts";
import type { Warnings } from "../shared/warnings.ts";
import { toText } from "../shared/well-formed.ts";
import type { ResponsesContent, ResponsesPart } from "./schema.ts";

type DecodePart = (part: ResponsesPart, param: string) => TextPart | ImagePart;

/** The parts that carry something for the model. */
const DECODERS: ReadonlyMap<string, DecodePart> = new Map<string, DecodePart>([
	["input_text", decodeText],
	["output_text", decodeText],
	["text", decodeText],
	["summary_text", decodeText],
	["reasoning_text", decodeText],
	["refusal", decodeRefusal],
	["input_image", decodeImagePart],
]);

/** The user's own material, which cannot be sent: to leave it out would answer another question than was asked. */
const REFUSED: ReadonlySet<string> = new Set(["input_file", "input_audio", "input_video"]);

/** The content of a message or a result. Parts of unknown types are left aside with a warning. */
export function decodeContent(content: ResponsesContent, param: string, warnings: Warnings): (TextPart | ImagePart)[] {
	if (content === null || content === undefined) return [];
	if (typeof content === "string") return [toText(content)];
	return content.flatMap((part, index) => decodePart(part, `${param}[${index}]`, warnings));
}

/** The same where only text is of use: images are left aside with a warning. */
export function decodeTextContent(content: ResponsesContent, param: string, warnings: Warnings): TextPart[] {
	return decodeContent(content, param, warnings).filter((part) => {
		if (part.type === "image") warnings.add(`${param}: only user messages and outputs of tools may hold images`);
		return part.type === "text";
	});
}

function decodePart(part: ResponsesPart, param: string, warnings: Warnings): (TextPart | ImagePart)[] {
	const decode = DECODERS.get(part.type);
	if (decode) return [decode(part, param)];
	if (REFUSED.has(part.type))
		throw invalid(`${param}.type`, "must be input_text or input_image: audio, video and files cannot be sent");
	warnings.add(`${param}: parts of this type are not known and are left aside`);
	return [];
}

function decodeText({ text }: ResponsesPart, param: string): TextPart {
	if (typeof text !== "string") throw invalid(`${param}.text`, "is required and must be a string");
	return toText(text);
}

function decodeRefusal({ refusal }: ResponsesPart, param: string): TextPart {
	if (typeof refusal !== "string") throw invalid(`${param}.refusal`, "is required and must be a string");
	return toText(refusal);
}

/** An image that was uploaded before (`file_id`) has no URL: there is nothing to upload it to. */
function decodeImagePart({ image_url: url }: ResponsesPart, param: string): ImagePart {
	if (typeof url !== "string") throw invalid(`${param}.image_url`, "is required and must be a data URL");
	return decodeImageUrl(url, `${param}.image_url`);
}
