import type { Setup, TestTool } from "../../clients/client.ts";
import type { Picture } from "../dialects.ts";

/** What is said in a conversation with a library. */
export interface Speech {
	system: string;
	/** Messages of the user, each of which is answered before the next. */
	turns: (string | Picture)[][];
	tools: TestTool[];
}

/** A library that holds a conversation as its documentation says, and runs the tools itself. */
export interface Speaker {
	name: string;
	speak(setup: Setup, speech: Speech): Promise<void>;
}

export const dataUrl = ({ mediaType, data }: Picture) => `data:${mediaType};base64,${data.toString("base64")}`;
