// What a load tells and asks the process that started it, which can look at the participant and the upstream.

/** Marks the beginning or the end of the measured time. */
export const tell = (event) => process.send({ event });

/** Asks for something of observer.mjs and resolves with the answer. One question at a time. */
export function ask(event, details = {}) {
	return new Promise((resolve) => {
		process.once("message", ({ answer }) => resolve(answer));
		process.send({ event, ...details, isQuestion: true });
	});
}
