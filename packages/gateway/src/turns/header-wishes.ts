import type { IncomingHttpHeaders } from "node:http";
import { type CursorWishes, readWishes } from "../dialects/shared/cursor-wishes.ts";

const HEADERS = { mode: "x-cursorwire-mode", maxMode: "x-cursorwire-max-mode" } as const;

/** What a client asks of Cursor in headers, which clients can be set to send with each request. */
export function headerWishes(headers: IncomingHttpHeaders): CursorWishes {
	const mode = headers[HEADERS.mode]?.toString();
	return readWishes({ mode, maxMode: headers[HEADERS.maxMode]?.toString() }, HEADERS);
}
