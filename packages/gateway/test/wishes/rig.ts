// What a client may wish of Cursor beyond its API: how the model works, and in Max Mode.
import type { TestGateway, TestGatewayOptions } from "../kit/gateway.ts";
import { startTestGateway } from "../kit/gateway.ts";

export const PATHS = ["/v1/chat/completions", "/v1/responses", "/v1/messages"] as const;
export type Path = (typeof PATHS)[number];

/** A gateway whose model tells how it was asked. */
export const startTelling = (
	settings: TestGatewayOptions["settings"] = {},
	switches: string[] = [],
): Promise<TestGateway> =>
	startTestGateway({
		settings,
		emulator: {
			switches,
			async *brain(turn) {
				const { id, maxMode, parameters } = turn.model;
				yield { text: JSON.stringify({ mode: turn.mode, model: id, maxMode, parameters, resumed: turn.resumed }) };
			},
		},
	});

export interface Told {
	status: number;
	mode: string;
	model: string;
	maxMode: boolean;
	parameters: Record<string, string>;
	resumed: boolean;
	warnings: string;
	/** The error, where it is one. */
	error: { message: string; param?: string; code?: string; type: string };
}

const ASKED: Readonly<Record<Path, (text: string) => object>> = {
	"/v1/chat/completions": (content) => ({ messages: [{ role: "user", content }] }),
	"/v1/responses": (input) => ({ input }),
	"/v1/messages": (content) => ({ max_tokens: 999, messages: [{ role: "user", content }] }),
};

/** Asks in any dialect, with more fields and headers. */
export async function tell(
	gateway: TestGateway,
	path: Path,
	more: object = {},
	headers: Record<string, string> = {},
): Promise<Told> {
	const response = await gateway.post(path, { model: "composer-1", ...ASKED[path]("x"), ...more }, { headers });
	const body = (await response.json()) as {
		error?: Told["error"];
		choices?: { message: { content: string } }[];
		output?: { content: { text: string }[] }[];
		content?: { text: string }[];
	};
	const text = body.choices?.[0]?.message.content ?? body.output?.[0]?.content[0]?.text ?? body.content?.[0]?.text;
	return {
		...(text ? JSON.parse(text) : {}),
		status: response.status,
		warnings: response.headers.get("x-cursorwire-warnings") ?? "",
		error: body.error,
	};
}
