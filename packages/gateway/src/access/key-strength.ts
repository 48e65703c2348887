const LEAST_CHARACTERS = 24;
/** The characters that can be sent in a header. */
const PRINTABLE = /^[\x21-\x7e]+$/;
const MOST_CHARACTERS = 1024;
/** 24 random hexadecimal digits have fewer different ones only once in a hundred thousand times. */
const LEAST_DIFFERENT = 8;

/** Why a key that a person chose is too weak, as the rest of a sentence; undefined if it is not. */
export function weaknessOf(key: string): string | undefined {
	if (!PRINTABLE.test(key)) return "has characters that cannot be sent in a header";
	if (key.length > MOST_CHARACTERS) return `has more than ${MOST_CHARACTERS} characters`;
	if (key.length < LEAST_CHARACTERS) return `has ${key.length} characters and needs at least ${LEAST_CHARACTERS}`;
	if (new Set(key).size < LEAST_DIFFERENT) return "has too few different characters";
	if (isRepetition(key)) return "repeats itself";
	return isSequence(key) ? "is a sequence" : undefined;
}

/** Whether the key is one piece repeated again and again. */
function isRepetition(key: string): boolean {
	for (let period = 1; period <= key.length / 2; period++) {
		if (key.slice(period) === key.slice(0, -period)) return true;
	}
	return false;
}

/** Whether most characters follow each other in the alphabet or among the digits, up or down. */
function isSequence(key: string): boolean {
	let steps = 0;
	for (let at = 1; at < key.length; at++) {
		if (Math.abs(key.charCodeAt(at) - key.charCodeAt(at - 1)) <= 1) steps++;
	}
	return steps > (key.length * 2) / 3;
}
