/** One step of the model: how much it read, and how much it wrote. */
export interface BilledStep {
	inputTokens: number;
	outputTokens: number;
	/** Part of `outputTokens`. */
	reasoningTokens: number;
}

/** What a run costs. In each step the model reads everything that came before once more, and that counts too. */
export class Bill {
	readonly protocol: string;
	readonly steps: BilledStep[] = [];
	/** How full the model's window is. */
	contextTokens: number;

	constructor(protocol: string, promptTokens: number) {
		this.protocol = protocol;
		this.contextTokens = promptTokens;
		this.#nextStep();
	}

	/** The sum of all steps. */
	get total(): BilledStep {
		const sum = (field: keyof BilledStep) => this.steps.reduce((tokens, step) => tokens + step[field], 0);
		return {
			inputTokens: sum("inputTokens"),
			outputTokens: sum("outputTokens"),
			reasoningTokens: sum("reasoningTokens"),
		};
	}

	wrote(tokens: number, isReasoning = false): void {
		const step = this.steps.at(-1)!;
		step.outputTokens += tokens;
		if (isReasoning) step.reasoningTokens += tokens;
		this.contextTokens += tokens;
	}

	/** The model reads results of tools, which begins a new step. */
	read(tokens: number): void {
		this.contextTokens += tokens;
		this.#nextStep();
	}

	#nextStep(): void {
		this.steps.push({ inputTokens: this.contextTokens, outputTokens: 0, reasoningTokens: 0 });
	}

	toJSON(): object {
		const { protocol, steps, contextTokens, total } = this;
		return { protocol, steps, contextTokens, total };
	}
}

/** The bills of the last runs, in the order in which they began. */
export class Bills {
	readonly #limit: number;
	readonly #bills: Bill[] = [];

	constructor(limit: number) {
		this.#limit = limit;
	}

	open(protocol: string, promptTokens: number): Bill {
		const bill = new Bill(protocol, promptTokens);
		this.#bills.push(bill);
		if (this.#bills.length > this.#limit) this.#bills.shift();
		return bill;
	}

	list(): Bill[] {
		return [...this.#bills];
	}
}
