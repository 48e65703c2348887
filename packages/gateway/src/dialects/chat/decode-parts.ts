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
import type { ChatMessage, ChatPart } from "./schema.ts";

type Content = ChatMessage["content"];

/** Some clients use the names of the Responses API. */
const PARTS: PartTypes<ChatPart> = {
	decoders: new Map<string, DecodePart<ChatPart>>([
		["text", decodeTextPart],
		["input_text", decodeTextPart],
		["output_text", decodeTextPart],
		["refusal", decodeRefusalPart],
		["image_url", decodeImagePart],
		["input_image", decodeImagePart],
	]),
	refused: new Set(["input_audio", "file", "input_file", "video_url"]),
	accepted: "text or image_url",
};

/** The content of a message. */
export function decodeContent(content: Content, param: string, warnings: Warnings): Parts {
	return decodeParts(content, PARTS, param, warnings);
}

/** The same where only text is of use. */
export function decodeTextContent(content: Content, param: string, warnings: Warnings): TextPart[] {
	return textsOnly(decodeContent(content, param, warnings), param, "user and tool messages", warnings);
}

function decodeImagePart({ image_url: image }: ChatPart, param: string): ImagePart {
	if (typeof image === "string") return decodeImageUrl(image, `${param}.image_url`);
	if (!image) throw invalid(`${param}.image_url`, "is required and must be an object with a url");
	return decodeImageUrl(image.url, `${param}.image_url.url`);
}
