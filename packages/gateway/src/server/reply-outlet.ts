import type { OutgoingHttpHeaders } from "node:http";

/** What a reply is written to: an HTTP response, or what stands for one on a WebSocket. */
export interface ReplyOutlet {
	readonly headersSent: boolean;
	readonly destroyed: boolean;
	readonly writableEnded: boolean;
	writeHead(status: number, headers: OutgoingHttpHeaders): unknown;
	flushHeaders(): void;
	/** False: its reader should read before more is written, and "drain" says when it has. */
	write(bytes: string | Uint8Array): boolean;
	end(bytes?: string | Uint8Array): unknown;
	destroy(): unknown;
	on(event: "close", listener: () => void): unknown;
	once(event: "drain", listener: () => void): unknown;
}
