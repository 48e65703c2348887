// The words that the gateway adds to a prompt, and where it says so. Whatever else is added is invented.

export const DOCUMENTED: readonly RegExp[] = [
	// Around a system or developer message that follows the user's first words.
	/<\/?system-reminder>/g,
	// A result in a history is text; its images follow in a message of their own.
	/^Image from [\w-]+:$/gm,
	// In place of an image in a result, where a protocol has no place for it.
	/\[an image \(image\/\w+\) that this protocol cannot carry\]/g,
	// A tool that a search of the client has found.
	/^The tool \S+ can be called now\.$/gm,
];

/** Fields beside the messages that the gateway fills in by itself: the system and its time zone, and a made-up project. */
export const DOCUMENTED_CONTEXT: readonly string[] = [
	"request_context.env",
	"request.environmentInfo",
	"request.projectPath",
];
