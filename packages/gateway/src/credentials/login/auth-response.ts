import type { HeaderMap } from "../../wire/stream.ts";

/** Any answer, whatever its status. */
export interface AuthAnswer {
	status: number;
	headers: HeaderMap;
	text: string;
	/** The body as an object; undefined where it is none. */
	json: Readonly<Record<string, unknown>> | undefined;
}
