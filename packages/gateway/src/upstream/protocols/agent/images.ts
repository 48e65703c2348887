import type { MessageInitShape } from "@bufbuild/protobuf";
import type { SelectedImageSchema } from "@cursorwire/protocol/agent";
import type { Sliced } from "../../../time/slices.ts";
import type { ImagePart } from "../../../turn/request.ts";
import { blobId, hex } from "./blobs.ts";

export type SelectedImage = MessageInitShape<typeof SelectedImageSchema>;

/** The same image has the same id in every request, so that the server never takes it for a new one. */
export function* selectedImage(image: ImagePart): Sliced<SelectedImage> {
	const hash = hex(yield* blobId(image.data));
	const uuid = [hash.slice(0, 8), hash.slice(8, 12), hash.slice(12, 16), hash.slice(16, 20), hash.slice(20, 32)].join(
		"-",
	);
	return { uuid, mimeType: image.mediaType, dataOrBlobId: { case: "data", value: image.data } };
}

/** An image in the JSON form that prompt messages have. */
export function imageJson(image: ImagePart) {
	const base64 = Buffer.from(image.data.buffer, image.data.byteOffset, image.data.length).toString("base64");
	return { type: "image", image: `data:${image.mediaType};base64,${base64}`, mediaType: image.mediaType };
}
