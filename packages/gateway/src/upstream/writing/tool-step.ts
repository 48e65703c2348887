import { TextBuffer } from "../../text/text-buffer.ts";
import { Utf8Decoder } from "../../text/utf8.ts";
import { atOnce } from "../../time/slices.ts";
import { GatewayError } from "../../turn/error.ts";
import type { TurnEvent } from "../../turn/event.ts";
import { argumentsObject, FREEFORM_INPUT } from "./tool-arguments.ts";
import type { ToolNames } from "./tool-names.ts";

interface StreamedInput {
	/** Our id, which the client gets. */
	id: string;
	name: string;
	text: TextBuffer;
	decoder: Utf8Decoder;
}

/** A call that the model has made in full. */
export interface FinishedCall {
	id: string;
	name: string;
	arguments: string;
	/** What of it the client has not seen yet, in order. */
	events: TurnEvent[];
}

/**
 * The calls of one step of the model: their arguments as they come in, and whether more calls are to be expected. The
 * protocol tells the latter in two ways, a count and calls that were shown and not yet asked for; either may be absent.
 */
export class ToolStep {
	readonly #names: ToolNames;
	readonly #freeform: ReadonlySet<string>;
	readonly #newId: () => string;
	readonly #inputs = new Map<string, StreamedInput>();
	readonly #shown = new Set<string>();
	#listed: number | undefined;
	#asked = 0;

	constructor(names: ToolNames, freeform: ReadonlySet<string>, newId: () => string) {
		this.#names = names;
		this.#freeform = freeform;
		this.#newId = newId;
	}

	/** A call is shown before it is asked for. Calls of built-in tools are not the client's to see. */
	shown(callId: string): void {
		this.#shown.add(callId);
	}

	listed(count: number): void {
		this.#listed = count;
	}

	/** No call is to come that was not shown. */
	allShown(): void {
		this.#listed = this.#asked + this.#shown.size;
	}

	/** A call that was shown will not be asked for: the server has run it. */
	notAsked(callId: string): void {
		if (this.#shown.delete(callId) && this.#listed !== undefined) this.#listed -= 1;
	}

	/** Streams a piece of a call's arguments, as soon as it is known which tool it is for. */
	partial(callId: string, wireName: string | undefined, piece: Uint8Array, events: TurnEvent[]): void {
		const name = wireName === undefined ? undefined : this.#names.client(wireName);
		// The text of a freeform tool stands inside a JSON string; it is sent when the call is complete.
		if (name === undefined || piece.length === 0 || this.#freeform.has(name)) return;
		this.#shown.add(callId);
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
		this.#shown.delete(callId);
	}

	/** The model's call in full, its arguments as JSON text. Undefined for a tool that the client never offered. */
	asked(callId: string, wireNames: readonly string[], json: string): FinishedCall | undefined {
		this.askedOther(callId);
		const streamed = this.#inputs.get(callId);
		// What the client has seen the beginning of is brought to its end, whatever it is called now.
		const name = streamed?.name ?? wireNames.map((wire) => this.#names.client(wire)).find((each) => each !== undefined);
		if (name === undefined) return undefined;
		this.#inputs.delete(callId);
		const whole = this.#freeform.has(name) ? String(atOnce(argumentsObject(json))[FREEFORM_INPUT] ?? "") : json;
		return this.#finish(streamed, name, whole);
	}

	/** A call that was not streamed, such as one made of a built-in request. */
	whole(name: string, args: Record<string, unknown>): FinishedCall {
		return this.#finish(undefined, name, JSON.stringify(args));
	}

	/** Arguments have begun to arrive, so that nothing else can be said before the calls are complete. */
	get streaming(): boolean {
		return this.#inputs.size > 0;
	}

	/** No call of this step is still to come, as far as the protocol says so. */
	get complete(): boolean {
		return !this.#isOpen && this.#listed !== undefined && this.#asked >= this.#listed;
	}

	/** Nothing says that more calls come, and nothing says that none do. */
	get uncertain(): boolean {
		return !this.#isOpen && this.#listed === undefined;
	}

	/** Calls are known that are not complete. */
	get #isOpen(): boolean {
		return this.#shown.size > 0 || this.streaming;
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

	/** What was streamed stands; if it was cut short, the rest is taken from the whole. */
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
