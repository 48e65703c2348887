import type { GatewayError } from "../../turn/error.ts";
import type { AssistantMessage } from "../../turn/request.ts";
import type { ModelChoice } from "../catalog/resolve-model.ts";
import { isHostFault, WrongHost } from "../errors/host-fault.ts";
import type { ProtocolName, RunPlan, WireModel } from "../protocols/driver.ts";
import type { CursorRun } from "../run/run.ts";
import type { RetryReason, RunEnd, RunObserver } from "../run/run-observer.ts";
import type { CursorAccountOptions } from "./account-options.ts";
import { lostWishes } from "./lost-wishes.ts";

export interface WatchedRunParts {
	plan: RunPlan;
	choice: ModelChoice;
	otherSpelling: WireModel | undefined;
	warnings: string[];
	/** Whoever opened the run follows it too. */
	observer: RunObserver<CursorRun>;
}

/** Follows a run of an account, and learns from it what holds for the next one. */
export class WatchedRun implements RunObserver<CursorRun> {
	readonly #account: CursorAccountOptions;
	readonly #parts: WatchedRunParts;

	constructor(account: CursorAccountOptions, parts: WatchedRunParts) {
		this.#account = account;
		this.#parts = parts;
	}

	parked(run: CursorRun): void {
		this.#parts.observer.parked?.(run);
	}

	replied(run: CursorRun, message: AssistantMessage): void {
		this.#parts.observer.replied?.(run, message);
	}

	mayRetry(run: CursorRun): GatewayError | undefined {
		return this.#parts.observer.mayRetry?.(run);
	}

	retried(run: CursorRun, reason: RetryReason): void {
		this.#parts.observer.retried?.(run, reason);
	}

	switched(from: ProtocolName, to: ProtocolName): void {
		const { protocols, facts } = this.#account;
		const { plan, warnings } = this.#parts;
		warnings.push(protocols.switched(facts.client.baseUrl, from, to));
		warnings.push(...lostWishes(to, plan.request.mode, plan.model));
	}

	over(run: CursorRun, how: RunEnd, error?: GatewayError): void {
		const { id, facts, services } = this.#account;
		if (how === "ended") this.#learnSpelling(run);
		// The next run looks up the right host again.
		if (error && isHostFault(error)) facts.hosts.forget();
		if (error?.cause instanceof WrongHost) services.observe?.(id, "privacy-host", "refused");
		this.#parts.observer.over?.(run, how, error);
	}

	#learnSpelling(run: CursorRun): void {
		const { choice, otherSpelling } = this.#parts;
		const [first, second] = choice.candidates;
		if (!second || run.protocol !== "agent" || run.model !== otherSpelling) return;
		const { id, facts, services } = this.#account;
		void facts.catalog.remember(choice.model?.id ?? first.modelId, second.spelling);
		if (second.spelling !== "plain" && first.spelling !== "plain") {
			services.observe?.(id, "model-form", second.spelling);
		}
	}
}
