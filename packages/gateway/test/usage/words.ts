// Texts of an ordinary conversation, long enough that a difference of a few tokens is not one of ten percent.
import type { ToolDefinition } from "../../src/turn/request.ts";

export const SYSTEM = `You are a careful assistant who helps people with their software projects. Read the code before you
change it, and keep to the style that you find there. Prefer small changes to large ones. When a question can be
answered from the files of the project, look at the files first and answer afterwards. Say plainly what you do not know,
and never invent the name of a function or the content of a file. Answer in full sentences, and keep them short.`;

export const QUESTION = `Please look at the program that reads the configuration and tell me what happens when the file
is missing, when it is empty, and when it holds a value of the wrong kind. I would like to know which message the user
gets to see in each of these cases, and whether the program goes on or stops.`;

export const FOLLOW_UP = `Thank you. Now explain how I could test the second case without touching the file on my disk, and
which of the helpers that exist already I should use for it. A short example would be welcome.`;

export const ANSWER = `When the file is missing the program uses its defaults and goes on without a word. When the file is
empty it does the same, because an empty file is read as an empty object. When a value is of the wrong kind the program
prints one line that names the setting and what was expected of it, and then it stops with an exit code of two. The user
never gets to see a stack trace, because the error is caught at the place where the settings are put together.`;

export const NOTE = `I will read the file that holds the settings first, and after that the place where the program puts
them together, because the answer depends on both of them.`;

export const FILE = `The settings are read from a file in the home folder of the user. Every line holds a name and a value.
Lines that begin with a hash are comments and are left out. A name that nobody knows is reported with a suggestion of the
nearest one that is known, and the rest of the file is read all the same. Values are numbers, words or lists of words.`;

/** Many words that are one token each, for answers that are cut. */
export const COUNTING = "The old house stands by the river and waits for the people who once lived in it. ";

export const PATH_ARGUMENTS = {
	path: "packages/program/source/settings/read-the-settings-of-the-user.ts",
	reason: "to see what happens with a file that is missing or empty, and which message is printed then",
};

export const TOOLS: ToolDefinition[] = [
	{
		name: "read_file",
		description: "Reads a file of the project and returns its content as text, from the first line to the last.",
		inputSchema: {
			type: "object",
			properties: {
				path: { type: "string", description: "The path of the file, relative to the folder of the project." },
				reason: { type: "string", description: "Why the file is needed, in one short sentence." },
			},
			required: ["path"],
		},
		kind: "function",
	},
	{
		name: "search_text",
		description: "Searches all files of the project for a text and returns the lines that hold it.",
		inputSchema: {
			type: "object",
			properties: {
				text: { type: "string", description: "The text to search for, as it stands in the file." },
				limit: { type: "integer", description: "How many lines to return at most." },
			},
			required: ["text"],
		},
		kind: "function",
	},
];
