import type { HeaderMap } from "../../wire/stream.ts";

/** A response of the sign-in service, whatever its status. */
export interface AuthResponse {
	status: number;
	headers: HeaderMap;
	text: string;
	/** The body as an object. Undefined if it is not a JSON object. */
	json: Readonly<Record<string, unknown>> | undefined;
}
