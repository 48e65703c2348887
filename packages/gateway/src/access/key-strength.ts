const LEAST_CHARACTERS = 24;
/** What a header can carry, and a client can be given in one piece. */
const PRINTABLE = /^[\x21-\x7e]+$/;
const MOST_CHARACTERS = 1024;
/** Of 24 random hexadecimal digits fewer are different once in a hundred thousand times. */
const LEAST_DIFFERENT = 8;

/** Why a key that somebody thought up is none; undefined says that nothing speaks against it. */
export function weaknessOf(key: string): string | undefined {
	if (!PRINTABLE.test(key)) return "has characters that no header can carry";
	if (key.length > MOST_CHARACTERS) return `has more than ${MOST_CHARACTERS} characters`;
	if (key.length < LEAST_CHARACTERS) return `has ${key.length} characters and needs at least ${LEAST_CHARACTERS}`;
	if (new Set(key).size < LEAST_DIFFERENT) return "has too few different characters";
	if (isRepetition(key)) return "is a repetition";
	return isSequence(key) ? "is a sequence" : undefined;
}

/** The same piece again and again. */
function isRepetition(key: string): boolean {
	for (let period = 1; period <= key.length / 2; period++) {
		if (key.slice(period) === key.slice(0, -period)) return true;
	}
	return false;
}

/** Mostly neighbours of the alphabet or of the digits, up or down. */
function isSequence(key: string): boolean {
	let steps = 0;
	for (let at = 1; at < key.length; at++) {
		if (Math.abs(key.charCodeAt(at) - key.charCodeAt(at - 1)) <= 1) steps++;
	}
	return steps > (key.length * 2) / 3;
}
