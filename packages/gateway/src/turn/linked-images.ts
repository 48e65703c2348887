import { GatewayError } from "./error.ts";
import type { ImagePart, TextPart, TurnMessage } from "./request.ts";

/** Throws if an image is a link: the gateway does not fetch anything for a client, so there is no file to send. */
export function refuseLinks(parts: readonly (TextPart | ImagePart)[]): void {
	for (const part of parts) if (part.type === "image" && part.link) throw linkRefused(part.link.param);
}

/** Throws if a user's message in the conversation contains a linked image. */
export function refuseLinkedImages(messages: readonly TurnMessage[]): void {
	for (const message of messages) if (message.role === "user") refuseLinks(message.content);
}

export function linkRefused(param: string): GatewayError {
	return new GatewayError("image-refused", "The gateway does not fetch images from URLs.", {
		param,
		nextStep: "Send the image as a data URL.",
	});
}
