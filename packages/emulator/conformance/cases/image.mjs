import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { JPEG, PNG } from "../kit/pictures.mjs";

/** @type {import("./index.mjs").Case} */
export const image = {
	name: "image",
	title: "images in the user message reach the brain byte for byte",

	async run({ sees }) {
		const images = [
			{ data: PNG.toString("base64"), mimeType: "image/png" },
			{ data: JPEG.toString("base64"), mimeType: "image/jpeg" },
		];
		const expected = [
			{ mediaType: "image/png", bytes: PNG.byteLength, sha256: sha256(PNG) },
			{ mediaType: "image/jpeg", bytes: JPEG.byteLength, sha256: sha256(JPEG) },
		];
		const { saw } = await sees({ text: "[image] what is this?", images });
		assert.deepEqual(saw, { images: expected, inMessages: expected });
	},
};

function sha256(bytes) {
	return createHash("sha256").update(bytes).digest("hex");
}
