// A stand-in for the gateway that serves the page and made-up figures, to work on the page and to test its views.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { LiveChange, LiveSnapshot, TurnRow } from "../../gateway/src/page/contract.ts";
import { buildPage } from "../build.mjs";
import * as data from "./data.ts";

const CSP =
	"default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; font-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; report-uri /csp-report";

export interface FakeOptions {
	/** How many turns the ledger has. None: nothing is known at all. */
	rows: number;
	/** Names that try to break the page. */
	isNasty?: boolean;
	port?: number;
}

export interface Fake {
	/** The address that signs in, once. */
	link: string;
	origin: string;
	/** Every request, as method and path. */
	asked: string[];
	cspReports: string[];
	change: (change: LiveChange) => void;
	/** Ends the live streams, as a restart does; the next snapshot is this one. */
	restart: (snapshot?: Partial<LiveSnapshot>) => void;
	endSessions: () => void;
	close: () => Promise<void>;
}

type Handler = (request: IncomingMessage, response: ServerResponse, url: URL) => unknown;

export async function startFake({ rows, isNasty = false, port = 0 }: FakeOptions): Promise<Fake> {
	const page = await buildPage();
	const begun = Date.now();
	const isEmpty = rows === 0;
	const asked: string[] = [];
	const cspReports: string[] = [];
	const codes = new Set(["fake-code-that-is-longer-than-32-characters_1"]);
	const sessions = new Set<string>();
	const streams = new Set<ServerResponse>();
	let eventId = 0;
	let snapshot: LiveSnapshot = {
		gateway: "g1",
		strip: data.strip(begun, isEmpty),
		lanes: rows > 1 ? data.lanes(begun, isNasty) : [],
		finished: newest(10),
	};

	function newest(count: number, before = rows + 1): TurnRow[] {
		const first = Math.min(rows, before - 1);
		return Array.from({ length: Math.max(0, Math.min(count, first)) }, (_, index) =>
			data.turnRow(first - index, rows, begun),
		);
	}

	function turns(url: URL) {
		const get = (name: string) => url.searchParams.get(name) ?? "";
		const isFiltered = ["client", "model", "path", "error", "slow"].some((name) => get(name) !== "");
		const matches = (row: TurnRow) =>
			(get("client") === "" || row.key === get("client")) &&
			(get("model") === "" || row.model === get("model")) &&
			(get("path") === "" || row.path === get("path")) &&
			(get("error") === "" || row.status >= 400) &&
			(get("slow") === "" || row.latencyMs >= Number(get("slow")));
		const limit = Math.min(500, Number(get("limit") || 100));
		const before = Number(get("before") || rows + 1);
		const all = isFiltered ? newest(rows).filter(matches) : undefined;
		const found = all?.filter(({ id }) => id < before).slice(0, limit) ?? newest(limit, before);
		const names = newest(200);
		return {
			rows: found,
			total: all?.length ?? rows,
			clients: [...new Set(names.map(({ key }) => key))],
			models: [...new Set(names.map(({ model }) => model))],
		};
	}

	function turn(id: number) {
		if (id < 1 || id > rows) return undefined;
		const row = data.turnRow(id, rows, begun);
		const first = Math.floor(id / 9) * 9;
		const conversation = Array.from({ length: 9 }, (_, index) => first + index)
			.filter((other) => other >= 1 && other <= rows)
			.map((other) => data.turnRow(other, rows, begun));
		return data.turnAnswer(row, conversation);
	}

	const json = (response: ServerResponse, status: number, body: unknown) => {
		response.writeHead(status, { "content-type": "application/json", "cache-control": "no-store" });
		response.end(JSON.stringify(body));
	};
	const file =
		(type: string, body: string | Uint8Array): Handler =>
		(_request, response) => {
			response.writeHead(200, { "content-type": type, "content-security-policy": CSP });
			response.end(body);
		};
	const answer =
		(make: (url: URL) => unknown): Handler =>
		(_request, response, url) => {
			const body = make(url);
			if (body !== undefined) return json(response, 200, body);
			json(response, 404, { error: { message: "There is no such turn.", nextStep: "Look at the list of turns." } });
		};

	const live: Handler = (request, response) => {
		response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
		streams.add(response);
		request.on("close", () => streams.delete(response));
		response.write(`id: ${snapshot.gateway}-${eventId}\nevent: snapshot\ndata: ${JSON.stringify(snapshot)}\n\n`);
	};

	async function openSession(request: IncomingMessage, response: ServerResponse) {
		const chunks: Buffer[] = [];
		for await (const chunk of request) chunks.push(chunk as Buffer);
		const { code } = JSON.parse(Buffer.concat(chunks).toString()) as { code: string };
		if (!codes.delete(code)) {
			return json(response, 401, { error: { message: "The code was used.", nextStep: "Run: cursorwire open" } });
		}
		const session = `session-${sessions.size}`;
		sessions.add(session);
		json(response, 200, { session, expiresAt: Date.now() + 12 * 3_600_000 });
	}

	const open: [RegExp, Handler][] = [
		[/^GET \/$/, file("text/html; charset=utf-8", page.html)],
		[/^GET \/page\/page\.js$/, file("text/javascript", page.js)],
		[/^GET \/page\/page\.css$/, file("text/css", page.css)],
		[/^POST \/page\/api\/session$/, openSession],
		[
			/^POST \/csp-report$/,
			async (request, response) => {
				for await (const chunk of request) cspReports.push(String(chunk));
				response.writeHead(204).end();
			},
		],
	];
	const guarded: [RegExp, Handler][] = [
		[
			/^DELETE \/page\/api\/session$/,
			(request, response) => {
				sessions.delete(String(request.headers["x-cursorwire-session"]));
				response.writeHead(204).end();
			},
		],
		[/^GET \/page\/api\/live$/, live],
		[
			/^POST \/page\/api\/turns\/[^/]+\/stop$/,
			(request, response, url) => {
				if (request.headers["content-type"] !== "application/json") return json(response, 415, { error: {} });
				const id = decodeURIComponent(url.pathname.split("/")[4]!);
				response.writeHead(204).end();
				change({ gone: [id] });
			},
		],
		[/^GET \/page\/api\/plan$/, answer(() => data.plan(begun, isEmpty))],
		[
			/^GET \/page\/api\/totals$/,
			answer((url) => data.totals(Number(url.searchParams.get("since")), Date.now(), isEmpty)),
		],
		[/^GET \/page\/api\/turns$/, answer(turns)],
		[/^GET \/page\/api\/turns\/\d+$/, answer((url) => turn(Number(url.pathname.split("/")[4])))],
		[/^GET \/page\/api\/models$/, answer(() => data.models(isEmpty, isNasty))],
		[/^GET \/page\/api\/clients$/, answer(() => data.clients(begun, isEmpty))],
		[/^GET \/page\/api\/health$/, answer(() => data.health(begun, isEmpty))],
		[/^GET \/page\/api\/report$/, file("text/plain", "The masked report.\n")],
	];

	const server = createServer((request, response) => {
		const url = new URL(request.url!, "http://gateway.invalid");
		const line = `${request.method} ${url.pathname}`;
		asked.push(`${request.method} ${request.url}`);
		const find = (routes: [RegExp, Handler][]) => routes.find(([pattern]) => pattern.test(line))?.[1];
		const isKnown = sessions.has(String(request.headers["x-cursorwire-session"]));
		const handler = find(open) ?? (isKnown ? find(guarded) : undefined);
		if (handler !== undefined) return void handler(request, response, url);
		const status = find(guarded) === undefined ? 404 : 401;
		json(response, status, { error: { message: "No.", nextStep: "Run: cursorwire open" } });
	});

	function change(news: LiveChange) {
		eventId++;
		for (const stream of streams) {
			stream.write(`id: ${snapshot.gateway}-${eventId}\nevent: change\ndata: ${JSON.stringify(news)}\n\n`);
		}
	}

	await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
	const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	return {
		link: `${origin}/#${[...codes][0]}`,
		origin,
		asked,
		cspReports,
		change,
		restart: (next = {}) => {
			snapshot = { ...snapshot, ...next };
			for (const stream of streams) stream.destroy();
		},
		endSessions: () => {
			sessions.clear();
			for (const stream of streams) stream.destroy();
		},
		close: () =>
			new Promise((resolve) => {
				server.close(() => resolve());
				server.closeAllConnections();
			}),
	};
}
