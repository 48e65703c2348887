import type { SelectedImage, UserMessage } from "@cursorwire/protocol/agent";
import type { ImagePart, Message } from "../../brains/brain.ts";
import type { Blobs } from "../stream/blobs.ts";

/** A message of the user with this text. */
export function userMessageWith(text: string): Message {
	return { role: "user", content: [{ type: "text", text }] };
}

/** A user's message as the model sees it, with its text and images, from the message or from blobs. */
export async function readUserMessage(message: UserMessage, blobs: Blobs): Promise<Message> {
	const text = message.textBlobId?.length
		? Buffer.from(await blobs.get(message.textBlobId)).toString("utf8")
		: message.text;
	const selected = message.selectedContext?.selectedImages ?? [];
	const images = await Promise.all(selected.map((image) => readImage(image, blobs)));
	return { role: "user", content: [{ type: "text", text }, ...images] };
}

async function readImage(image: SelectedImage, blobs: Blobs): Promise<ImagePart> {
	const source = image.dataOrBlobId;
	const data =
		source.case === "data"
			? source.value
			: source.case === "blobIdWithData"
				? source.value.data
				: source.case === "blobId"
					? await blobs.get(source.value)
					: new Uint8Array();
	return { type: "image", mediaType: image.mimeType || sniffImage(data), data };
}

function sniffImage(data: Uint8Array): string {
	const start = Buffer.from(data.subarray(0, 12)).toString("latin1");
	if (start.startsWith("\x89PNG")) return "image/png";
	if (start.startsWith("\xff\xd8\xff")) return "image/jpeg";
	if (start.startsWith("GIF8")) return "image/gif";
	if (start.startsWith("RIFF") && start.endsWith("WEBP")) return "image/webp";
	return "application/octet-stream";
}
