import type { BegunRun, Driver, MachineServices, ProtocolName, WireModel } from "../../protocols/driver.ts";
import type { Machine } from "../../protocols/machine.ts";
import type { RunRequest } from "../run-parts.ts";

const NOTHING = new Uint8Array();

/**
 * How a run puts its request to Cursor: in which protocol, under which name of the model, and where the system prompt
 * travels. A refusal may change each of them, and the request is then put anew, to a new machine.
 */
export class Approach {
	readonly #request: RunRequest;
	readonly #services: MachineServices;
	/** Those after it have not been tried yet. */
	#driver: Driver;
	#model: WireModel;
	#otherSpelling: WireModel | undefined;
	#isPlainPrompt = false;
	#begun: BegunRun;

	constructor(request: RunRequest, services: MachineServices) {
		this.#request = request;
		this.#services = services;
		this.#driver = request.drivers[0];
		this.#model = request.plan.model;
		this.#otherSpelling = request.otherSpelling;
		this.#begun = this.#begin(this.#driver);
	}

	get driver(): Driver {
		return this.#driver;
	}

	get protocol(): ProtocolName {
		return this.#driver.protocol;
	}

	get model(): WireModel {
		return this.#model;
	}

	get machine(): Machine {
		return this.#begun.machine;
	}

	/** The message that opens the stream. */
	get first(): Uint8Array {
		return this.#begun.first;
	}

	/** What could still be changed. */
	get facts(): { hasOtherSpelling: boolean; hasOtherProtocol: boolean; customPrompt: boolean } {
		return {
			hasOtherSpelling: this.#otherSpelling !== undefined,
			hasOtherProtocol: this.#otherDrivers.length > 0,
			customPrompt: this.#systemPrompt === "custom",
		};
	}

	/**
	 * The request is not put again: a run that waits for results goes on in its stream or not at all. A conversation may
	 * have megabytes, and results may take a quarter of an hour.
	 */
	forgetOpening(): void {
		const { plan } = this.#request;
		plan.request = { ...plan.request, messages: [], system: [], tools: [] };
		this.#begun = { machine: this.machine, first: NOTHING };
	}

	/** The same request once more, to a new machine. */
	beginAgain(): void {
		this.#begun = this.#begin(this.#driver);
	}

	/** Takes the other name of the model. */
	respell(): void {
		this.#model = this.#otherSpelling ?? this.#model;
		this.#otherSpelling = undefined;
	}

	/** Sends the system prompt as a rule, which every account may do. */
	usePlainPrompt(): void {
		this.#isPlainPrompt = true;
	}

	/** The next protocol that can express the request; undefined where none can. */
	nextProtocol(): Driver | undefined {
		return this.#otherDrivers.find((driver) => this.#canExpress(driver));
	}

	useProtocol(driver: Driver): void {
		this.#driver = driver;
	}

	get #otherDrivers(): readonly Driver[] {
		const { drivers } = this.#request;
		return drivers.slice(drivers.indexOf(this.#driver) + 1);
	}

	get #systemPrompt() {
		return this.#isPlainPrompt ? "cloud-rule" : this.#request.plan.systemPrompt;
	}

	#begin(driver: Driver): BegunRun {
		const { plan } = this.#request;
		const isAsPlanned = !this.#isPlainPrompt && this.#model === plan.model;
		const changed = isAsPlanned ? plan : { ...plan, model: this.#model, systemPrompt: this.#systemPrompt };
		return driver.begin(changed, this.#services);
	}

	#canExpress(driver: Driver): boolean {
		try {
			this.#begin(driver);
			return true;
		} catch {
			return false;
		}
	}
}
