import type { AdmittedCaller } from "../../access/caller.ts";
import type { Dialect, DialectTurn, SocketForm, StoredReplies } from "../../dialects/dialect.ts";
import type { SocketCall } from "../../server/exchange.ts";
import { originOf } from "../../server/origin.ts";
import type { LinkListener } from "../../server/websocket/link.ts";
import type { Message } from "../../server/websocket/message-reader.ts";
import { GatewayError } from "../../turn/error.ts";
import { askerOf, enterTurn, RequestContext, readTurn, type TurnEndpointParts } from "../turn-endpoint.ts";
import { beginTurn } from "../turn-starts.ts";
import { EventMessages } from "./event-messages.ts";
import { ReplyMemory } from "./reply-memory.ts";
import { SocketOutlet } from "./socket-outlet.ts";

/** As long as OpenAI's own connections last. */
export const SOCKET_LIFE_MS = 60 * 60_000;
/** For the conversations that all connections remember. */
export const REMEMBERED_BYTES = 128 << 20;

/** Serves the turns of a dialect on WebSockets: one turn at a time on each of them. */
export function turnSockets(
	dialect: Dialect,
	form: SocketForm,
	parts: TurnEndpointParts,
): (call: SocketCall<AdmittedCaller>) => void {
	const memory = new ReplyMemory(REMEMBERED_BYTES);
	return (call) => call.link.open(new TurnSocket(dialect, form, parts, call, memory));
}

class TurnSocket implements LinkListener {
	readonly #dialect: Dialect;
	readonly #form: SocketForm;
	readonly #parts: TurnEndpointParts;
	readonly #call: SocketCall<AdmittedCaller>;
	readonly #memory: ReplyMemory;
	readonly #openedAt: number;
	#isBusy = false;
	/** The reply under way. */
	#outlet: SocketOutlet | undefined;
	/** About how long the conversation is that is remembered. */
	#bytes = 0;

	constructor(
		dialect: Dialect,
		form: SocketForm,
		parts: TurnEndpointParts,
		call: SocketCall<AdmittedCaller>,
		memory: ReplyMemory,
	) {
		this.#dialect = dialect;
		this.#form = form;
		this.#parts = parts;
		this.#call = call;
		this.#memory = memory;
		this.#openedAt = parts.turns.clock.now();
	}

	message(message: Message): void {
		const requestId = this.#call.newRequestId();
		if (this.#isBusy) {
			message.room.release();
			return this.#refuse(busy(), requestId);
		}
		this.#isBusy = true;
		this.#call.wake();
		this.#serve(message, requestId).catch((error) => {
			this.#refuse(error, requestId);
			this.#rest();
		});
	}

	drained(): void {
		this.#outlet?.emit("drain");
	}

	closed(): void {
		this.#memory.forget(this);
		this.#outlet?.closed();
	}

	async #serve(message: Message, requestId: string): Promise<void> {
		const begunAt = performance.now();
		const { caller, leave } = await this.#admit(message);
		try {
			const admitMs = performance.now() - begunAt;
			const read = await beginTurn((text) => this.#read(text, caller, requestId), message);
			if (read.prepared === undefined) return await this.#reply(read, caller, { requestId, leave, begunAt, admitMs });
			for (const text of textsOf(read.prepared)) this.#call.link.send(text);
			leave();
			this.#rest();
		} catch (error) {
			leave();
			throw error;
		}
	}

	/** The key is looked at for each turn, and each turn takes a place among its caller's. */
	async #admit({ room }: Message): Promise<{ caller: AdmittedCaller; leave: () => void }> {
		try {
			const { turns, gate, isClosing } = this.#parts;
			if (turns.clock.now() - this.#openedAt > SOCKET_LIFE_MS) throw new GatewayError("socket-too-old");
			const caller = await this.#call.admit();
			if (isClosing()) throw new GatewayError("shutting-down");
			return { caller, leave: await enterTurn(gate, caller) };
		} catch (error) {
			room.release();
			throw error;
		}
	}

	async #read({ bytes, room }: Message, caller: AdmittedCaller, requestId: string): Promise<DialectTurn> {
		const { request, parse } = this.#call;
		let value: unknown;
		try {
			value = await parse(bytes, caller.id);
		} finally {
			room.release();
		}
		const body = this.#form.bodyOf(value);
		const continues = typeof (body as { previous_response_id?: unknown }).previous_response_id === "string";
		this.#bytes = (continues ? this.#bytes : 0) + bytes.length;
		const storedOf = (id: string) => this.#storedWith(this.#parts.storedOf(id));
		const context = new RequestContext({ caller, request, requestId }, { ...this.#parts, storedOf });
		return readTurn(this.#dialect, body, request, context);
	}

	/** What this connection remembers comes before what is stored. */
	#storedWith(stored: StoredReplies): StoredReplies {
		return {
			load: async (id) => this.#memory.find(this, id) ?? (await stored.load(id)),
			keep: (id, record) => stored.keep(id, record),
			remember: (id, record) => {
				this.#bytes += this.#outlet?.sent ?? 0;
				if (!this.#call.link.isClosed) this.#memory.keep(this, id, record, this.#bytes);
			},
		};
	}

	async #reply(
		read: DialectTurn,
		caller: AdmittedCaller,
		{ requestId, leave, begunAt, admitMs }: { requestId: string; leave(): void; begunAt: number; admitMs: number },
	): Promise<void> {
		const { turns, accountOf } = this.#parts;
		const { link, request } = this.#call;
		const decodeMs = performance.now() - begunAt - admitMs;
		const account = await accountOf(caller);
		const outlet = new SocketOutlet(link, this.#form.errorMessage);
		outlet.once("close", () => {
			leave();
			this.#outlet = undefined;
			this.#rest();
		});
		this.#outlet = outlet;
		if (link.isClosed) return outlet.closed();
		const origin = originOf(request, requestId, caller);
		await turns.serve(read, askerOf(caller, account, origin), outlet, origin, decodeMs, admitMs);
	}

	#rest(): void {
		this.#isBusy = false;
		this.#call.rest();
	}

	#refuse(error: unknown, requestId: string): void {
		const { link, refuse } = this.#call;
		link.send(JSON.stringify(this.#form.errorMessage(refuse(error, requestId))));
	}
}

function textsOf(stream: NonNullable<DialectTurn["prepared"]>): string[] {
	const events = new EventMessages();
	return typeof stream === "string" ? events.add(stream) : [...stream].flatMap((piece) => events.add(piece));
}

const busy = () =>
	new GatewayError("invalid-request", "A turn is under way on this WebSocket, which takes one at a time.", {
		nextStep: "Wait until it has ended, or open another WebSocket.",
	});
