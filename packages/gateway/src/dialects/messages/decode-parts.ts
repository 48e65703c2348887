import { GatewayError } from "../../turn/error.ts";
import type { ImagePart, TextPart } from "../../turn/request.ts";
import { type Parts, textsOnly } from "../shared/content-parts.ts";
import { decodeImage, decodeImageUrl } from "../shared/images.ts";
import { invalid } from "../shared/invalid.ts";
import type { Warnings } from "../shared/warnings.ts";
import { toText } from "../shared/well-formed.ts";
import type { MaterialBlock, MessagesBlock, MessagesContent } from "./schema.ts";

type BlockOf<T extends MaterialBlock["type"]> = Extract<MaterialBlock, { type: T }>;

/** The content of a message. Blocks of other types are left aside with a warning. */
function decodeContent(content: MessagesContent, param: string, warnings: Warnings): Parts {
	return toBlocks(content).flatMap((block, index) => decodeBlock(block, `${param}[${index}]`, warnings));
}

/** The same where only text is of use. */
export function decodeTextContent(content: MessagesContent, param: string, warnings: Warnings): TextPart[] {
	return textsOnly(decodeContent(content, param, warnings), param, "user messages and results", warnings);
}

/** Content as a list of blocks, however it was written. */
export function toBlocks(content: MessagesContent): readonly MessagesBlock[] {
	if (typeof content === "string") return [{ type: "text", text: content }];
	return content ?? [];
}

/**
 * A block in the result of a tool. A file in it is not refused, because the agent that has read one could not go on;
 * a line tells the model that it does not see the file.
 */
export function decodeToolBlock(block: MessagesBlock, param: string, warnings: Warnings): Parts {
	if (block.type !== "document" || isReadable(block)) return decodeBlock(block, param, warnings);
	warnings.add(`${param}: PDF and other files cannot be sent; the model is told so`);
	return [toText("[A file is left out here: only text and images can be shown.]")];
}

/** A block that the user has sent. */
export function decodeBlock(block: MessagesBlock, param: string, warnings: Warnings): Parts {
	switch (block.type) {
		case "text":
			return [toText(block.text)];
		case "image":
			return [decodeImageBlock(block, `${param}.source`)];
		case "document":
			return decodeDocument(block, param, warnings);
		case "search_result":
			return [toText([block.title, block.source, ...block.content.map(({ text }) => text)].join("\n"))];
		case "tool_reference":
			// What a client's search for tools has found; the tools themselves stand in the request.
			return [toText(`The tool ${block.tool_name} can be called now.`)];
		default:
			warnings.add(`${param}: a block of this type has no meaning here and is left aside`);
			return [];
	}
}

function decodeImageBlock({ source }: BlockOf<"image">, param: string): ImagePart {
	if (typeof source.data === "string") return decodeImage(source.data, `${param}.data`);
	if (typeof source.url === "string") return decodeImageUrl(source.url, `${param}.url`);
	throw new GatewayError("image-refused", "The gateway keeps no files.", {
		param: `${param}.type`,
		nextStep: "Send the image itself, in base64.",
	});
}

/** The user's own material is refused if it cannot be sent: without it the model would answer another question. */
function decodeDocument(block: BlockOf<"document">, param: string, warnings: Warnings): Parts {
	const { source, title, context } = block;
	if (!isReadable(block)) {
		throw invalid(`${param}.source.type`, "must be text or content: PDF and other files cannot be sent");
	}
	const heading = [title, context].flatMap((line) => (line ? [toText(line)] : []));
	const content = source.type === "text" ? source.data : source.content;
	return [...heading, ...decodeContent(content, `${param}.source.content`, warnings)];
}

function isReadable({ source }: BlockOf<"document">): boolean {
	return source.type === "content" || (source.type === "text" && typeof source.data === "string");
}
