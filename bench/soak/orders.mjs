// What a client of the soak asks the model for, and the only right reply to it. The brain and the client both use this
// file, so a reply that lacks a word, or has a word of another client, is noticed.

/** A prompt that the soak's model obeys. */
export const promptOf = (order) => JSON.stringify(order);

export const orderIn = (prompt) => JSON.parse(prompt);

/** The reply in pieces, as the model streams it. */
export function replyPieces({ nonce, pieces = 3, size = 20 }) {
	return Array.from({ length: pieces }, (_, at) => `${nonce}:${at} ${"ä".repeat(size)} `);
}

export const replyTo = (order) => replyPieces(order).join("");

/** The calls of an order, each with an argument that no other call has. */
export const callsOf = ({ nonce, calls }) =>
	Array.from({ length: calls }, (_, at) => ({ name: "look", arguments: { at: `${nonce}-${at}` } }));

/** What the client's tool finds at a place. */
export const foundAt = (place) => `found ${place}`;

/** The reply after the results, in the order of the calls. */
export const replyToResults = (texts) => `saw ${texts.join(" and ")}`;
