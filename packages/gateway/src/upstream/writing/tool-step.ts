import { TextBuffer } from "../../text/text-buffer.ts";
import { Utf8Decoder } from "../../text/utf8.ts";
import { atOnce } from "../../time/slices.ts";
import { GatewayError } from "../../turn/error.ts";
import type { TurnEvent } from "../../turn/event.ts";
import { argumentsObject, FREEFORM_INPUT } from "./tool-arguments.ts";
import type { ToolNames } from "./tool-names.ts";

interface StreamedInput {
	/** The gateway's id, which the client sees. */
	id: string;
	name: string;
	text: TextBuffer;
	decoder: Utf8Decoder;
}

/** A complete call from the model. */
export interface FinishedCall {
	id: string;
	name: string;
	arguments: string;
	/** The events that the client has not seen yet, in order. */
	events: TurnEvent[];
}

/**
 * The calls in one step of the model: their arguments as they arrive, and whether more calls are expected. The protocol
 * indicates the latter in two ways, either of which may be absent: a count, and calls that were shown but not yet asked
 * for.
 */
export class ToolStep {
	readonly #names: ToolNames;
	readonly #freeform: ReadonlySet<string>;
	readonly #newId: () => string;
	/** Made when there is something to keep. */
	#inputs: Map<string, StreamedInput> | undefined;
	#shown: Set<string> | undefined;
	#listed: number | undefined;
	#asked = 0;

	constructor(names: ToolNames, freeform: ReadonlySet<string>, newId: () => string) {
		this.#names = names;
		this.#freeform = freeform;
		this.#newId = newId;
	}

	/** A call is shown before it is asked for. Calls of built-in tools are not visible to the client. */
	shown(callId: string): void {
		this.#show(callId);
	}

	listed(count: number): void {
		this.#listed = count;
	}

	/** All further calls of this step have already been shown. */
	allShown(): void {
		this.#listed = this.#asked + (this.#shown?.size ?? 0);
	}

	/** A call that was shown will not be asked for, because the server ran it itself. */
	notAsked(callId: string): void {
		if (this.#shown?.delete(callId) && this.#listed !== undefined) this.#listed -= 1;
	}

	/** Streams a piece of a call's arguments once it is known which tool it is for. */
	partial(callId: string, wireName: string | undefined, piece: Uint8Array, events: TurnEvent[]): void {
		const name = wireName === undefined ? undefined : this.#names.client(wireName);
		// The text of a freeform tool is inside a JSON string, so it is sent when the call is complete.
		if (name === undefined || piece.length === 0 || this.#freeform.has(name)) return;
		this.#show(callId);
		this.#inputs ??= new Map();
		let input = this.#inputs.get(callId);
		if (!input) {
			input = { id: this.#newId(), name, text: new TextBuffer(), decoder: new Utf8Decoder() };
			this.#inputs.set(callId, input);
			events.push({ type: "tool-input-start", id: input.id, name });
		}
		this.#say(input, input.decoder.push(piece), events);
	}

	/** A request that is answered at once, without the client. */
	askedOther(callId: string): void {
		this.#asked += 1;
		this.#shown?.delete(callId);
	}

	/** The complete call, with its arguments as JSON text. Undefined for a tool that the client never offered. */
	asked(callId: string, wireNames: readonly string[], json: string): FinishedCall | undefined {
		this.askedOther(callId);
		const streamed = this.#inputs?.get(callId);
		// A call that the client has seen the start of must be finished, whatever it is called now.
		const name = streamed?.name ?? wireNames.map((wire) => this.#names.client(wire)).find((each) => each !== undefined);
		if (name === undefined) return undefined;
		this.#inputs?.delete(callId);
		const whole = this.#freeform.has(name) ? String(atOnce(argumentsObject(json))[FREEFORM_INPUT] ?? "") : json;
		return this.#finish(streamed, name, whole);
	}

	/** A call that was not streamed, for example one made from a built-in request. */
	whole(name: string, args: Record<string, unknown>): FinishedCall {
		return this.#finish(undefined, name, JSON.stringify(args));
	}

	/** Arguments have begun to arrive, so nothing else can be written until the calls are complete. */
	get streaming(): boolean {
		return this.#inputs !== undefined && this.#inputs.size > 0;
	}

	/** No more calls are expected in this step, according to the protocol. */
	get complete(): boolean {
		return !this.#isOpen && this.#listed !== undefined && this.#asked >= this.#listed;
	}

	/** The protocol does not indicate whether more calls are coming. */
	get uncertain(): boolean {
		return !this.#isOpen && this.#listed === undefined;
	}

	/** Some known calls are not complete yet. */
	get #isOpen(): boolean {
		return (this.#shown !== undefined && this.#shown.size > 0) || this.streaming;
	}

	#show(callId: string): void {
		this.#shown ??= new Set();
		this.#shown.add(callId);
	}

	#finish(streamed: StreamedInput | undefined, name: string, whole: string): FinishedCall {
		const events: TurnEvent[] = [];
		const input = streamed ?? { id: this.#newId(), name, text: new TextBuffer(), decoder: new Utf8Decoder() };
		if (!streamed) events.push({ type: "tool-input-start", id: input.id, name });
		this.#say(input, input.decoder.end(), events);
		this.#complete(input, whole, events);
		events.push({ type: "tool-input-end", id: input.id });
		const call = { id: input.id, name, arguments: input.text.toString() };
		events.push({ type: "tool-call", ...call });
		return { ...call, events };
	}

	/** What was streamed stays. If it is incomplete, the rest is taken from the whole. */
	#complete(input: StreamedInput, whole: string, events: TurnEvent[]): void {
		const streamed = input.text.toString();
		if (whole.startsWith(streamed)) this.#say(input, whole.slice(streamed.length), events);
		else if (!isJson(streamed)) {
			throw new GatewayError("upstream-protocol", "The arguments of a tool call changed while they were streamed.");
		}
	}

	#say(input: StreamedInput, text: string, events: TurnEvent[]): void {
		if (text === "") return;
		input.text.add(text);
		events.push({ type: "tool-input-delta", id: input.id, text });
	}
}

function isJson(text: string): boolean {
	try {
		JSON.parse(text);
		return true;
	} catch {
		return false;
	}
}
