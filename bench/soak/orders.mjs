// What a client of the soak asks the model for, and the only right answer to it. The model and the client both read
// this file, so an answer that lacks a word, or carries a word of another client, is found.

/** A prompt that the soak's model obeys. */
export const promptOf = (order) => JSON.stringify(order);

/** Pieces of the answer as the model streams them. */
function answerPieces({ nonce, pieces = 3, size = 20 }) {
	return Array.from({ length: pieces }, (_, at) => `${nonce}:${at} ${"ä".repeat(size)} `);
}

export const answerTo = (order) => answerPieces(order).join("");

/** The calls of an order, each with an argument that no other call has. */
export const callsOf = ({ nonce, calls }) =>
	Array.from({ length: calls }, (_, at) => ({ name: "look", arguments: { at: `${nonce}-${at}` } }));

/** What the client's tool finds at a place. */
export const foundAt = (place) => `found ${place}`;

/** The answer when the results are in, in the order of the calls. */
export const answerToResults = (texts) => `saw ${texts.join(" and ")}`;
