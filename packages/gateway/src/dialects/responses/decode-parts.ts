import type { ImagePart, TextPart } from "../../turn/request.ts";
import {
	type DecodePart,
	decodeParts,
	decodeRefusalPart,
	decodeTextPart,
	type Parts,
	type PartTypes,
	textsOnly,
} from "../shared/content-parts.ts";
import { decodeImageUrl } from "../shared/images.ts";
import { invalid } from "../shared/invalid.ts";
import type { Warnings } from "../shared/warnings.ts";
import type { ResponsesContent, ResponsesPart } from "./schema.ts";

const PARTS: PartTypes<ResponsesPart> = {
	decoders: new Map<string, DecodePart<ResponsesPart>>([
		["input_text", decodeTextPart],
		["output_text", decodeTextPart],
		["text", decodeTextPart],
		["summary_text", decodeTextPart],
		["reasoning_text", decodeTextPart],
		["refusal", decodeRefusalPart],
		["input_image", decodeImagePart],
	]),
	refused: new Set(["input_file", "input_audio", "input_video"]),
	accepted: "input_text or input_image",
};

/** The content of a message or a result. */
export function decodeContent(content: ResponsesContent, param: string, warnings: Warnings): Parts {
	return decodeParts(content, PARTS, param, warnings);
}

/** The same where only text is of use. */
export function decodeTextContent(content: ResponsesContent, param: string, warnings: Warnings): TextPart[] {
	return textsOnly(decodeContent(content, param, warnings), param, "user messages and outputs of tools", warnings);
}

/** An image that was uploaded before (`file_id`) has no URL, and the gateway has no uploads. */
function decodeImagePart({ image_url: url }: ResponsesPart, param: string): ImagePart {
	if (typeof url !== "string") throw invalid(`${param}.image_url`, "is required and must be a data URL");
	return decodeImageUrl(url, `${param}.image_url`);
}
