import type { Fact } from "../upstream/run/observe.ts";
import type { AnswerFile } from "./answer-file.ts";
import { type Answer, type Answers, answersInForce, noCalibration } from "./answers.ts";
import type { QuestionId } from "./questions.ts";

export interface LearnerOptions {
	file: AnswerFile;
	clientVersion: string;
	/** Milliseconds of the epoch. */
	now(): number;
}

/** Facts whose value answers a question. */
const DIRECT: Partial<Record<Fact, QuestionId>> = {
	"agent-service": "agent-service",
	"cache-tokens": "cache-tokens",
	"chat-arguments": "chat-arguments",
	"chat-thinking": "chat-thinking",
	"chat-tool-calls": "chat-tool-calls",
	"checkpoint-users": "checkpoint-users",
	"client-version": "client-version",
	"enveloped-unary": "enveloped-unary",
	"idempotent-stream": "idempotent-stream",
	"last-checkpoint": "last-checkpoint",
	"long-conversation": "long-conversation",
	"model-form": "model-form",
	"pending-tool-calls": "pending-tool-calls",
	"sse-after-tool": "sse-after-tool",
	"step-updates": "step-updates",
	"tool-call-order": "tool-call-order",
	"tool-requests-listed": "tool-requests-listed",
	"unknown-query-answer": "unknown-query-answer",
	usage: "usage",
};

/** A model may ignore a forced call once by chance. Twice in a row means that it does not see the tool. */
const UNHEARD = 2;

/** A fact that contradicts the answer to a question. */
interface Doubt {
	against: QuestionId;
	shown: string;
	times: number;
}

/** By fact and its value. */
const AGAINST: Partial<Record<Fact, Readonly<Record<string, Doubt>>>> = {
	"forced-call": {
		missing: { against: "tools-from", shown: "a tool that had to be called was not", times: UNHEARD },
	},
	"refused-place": {
		"system-prompt": { against: "system-prompt", shown: "the place was refused", times: 1 },
		tools: { against: "tools-from", shown: "the place was refused", times: 1 },
	},
	"privacy-host": {
		refused: { against: "privacy-host", shown: "the host does not serve the account", times: 1 },
	},
};

/** The date of an answer that is confirmed repeatedly is renewed at most once per day. */
const CONFIRMED_MS = 24 * 3_600_000;

/** Every run asks for the answers. Another process rarely changes them, so its change may show this much later. */
export const REREAD_MS = 1_000;
const MOST_ACCOUNTS = 256;

/** The valid answers of an account, as they were worked out last. */
interface KnownAnswers {
	answers: Answers;
	readAt: number;
	/** When they were stored, read once: every run confirms some of them. */
	dates: Map<QuestionId, number>;
}

/** Learns answers from ordinary traffic, and drops answers that the traffic contradicts. */
export class Learner {
	readonly #options: LearnerOptions;
	/** By account. Worked out at most once per second. */
	readonly #known = new Map<string, KnownAnswers>();
	/** How many times in a row an answer was contradicted, by account and question. */
	readonly #against = new Map<string, number>();

	constructor(options: LearnerOptions) {
		this.#options = options;
	}

	/** The answers that are valid for an account now. */
	answers(account: string): Answers {
		return this.#of(account, this.#options.now()).answers;
	}

	#of(account: string, time: number): KnownAnswers {
		const known = this.#known.get(account);
		if (known && Math.abs(time - known.readAt) < REREAD_MS) return known;
		const read = { answers: this.#readAnswers(account, time), readAt: time, dates: new Map() };
		if (this.#known.size >= MOST_ACCOUNTS) this.#known.clear();
		this.#known.set(account, read);
		return read;
	}

	observe(account: string, fact: Fact, value: string): void {
		if (fact === "forced-call" && value === "made") this.#against.delete(`${account} tools-from`);
		// The gateway sends the request context with every run. If the server asks for it anyway, that is an answer; if it
		// does not, two answers remain possible.
		if (fact === "context-asked" && value === "yes") return this.#learn(account, "request-context", "ask");
		const question = DIRECT[fact];
		if (question) return this.#learn(account, question, value);
		const doubt = AGAINST[fact]?.[value];
		if (doubt) this.#doubt(account, doubt);
	}

	#learn(account: string, question: QuestionId, value: string): void {
		const now = this.#options.now();
		const { answers, dates } = this.#of(account, now);
		const old = answers[question];
		if (old?.value === value && now - dateOf(question, old, dates) < CONFIRMED_MS) return;
		const at = new Date(now).toISOString();
		const fresh: Answer = old?.value === value ? { ...old, at } : { value, sure: "seen", from: "traffic", at };
		this.#change(
			account,
			question,
			fresh,
			old && old.value !== value ? { value: old.value, shown: value, at } : undefined,
		);
	}

	#readAnswers(account: string, time: number): Answers {
		const { file, clientVersion } = this.#options;
		const known = file.read(account);
		return known ? answersInForce(known, clientVersion, time) : {};
	}

	#doubt(account: string, { against, shown, times }: Doubt): void {
		const old = this.answers(account)[against];
		if (!old) return;
		const key = `${account} ${against}`;
		const count = (this.#against.get(key) ?? 0) + 1;
		this.#against.set(key, count);
		if (count < times) return;
		this.#against.delete(key);
		const at = new Date(this.#options.now()).toISOString();
		this.#change(account, against, undefined, { value: old.value, shown, at });
	}

	#change(
		account: string,
		question: QuestionId,
		answer: Answer | undefined,
		dropped: { value: string; shown: string; at: string } | undefined,
	): void {
		const { file, clientVersion } = this.#options;
		const stored = file.read(account);
		const known = stored?.clientVersion === clientVersion ? stored : noCalibration(clientVersion);
		const { [question]: _, ...others } = known.answers;
		file.write(account, {
			clientVersion,
			answers: { ...others, ...(answer && { [question]: answer }) },
			dropped: { ...known.dropped, ...(dropped && { [question]: dropped }) },
		});
		this.#known.delete(account);
	}
}

function dateOf(question: QuestionId, { at }: Answer, dates: Map<QuestionId, number>): number {
	const known = dates.get(question);
	if (known !== undefined) return known;
	const date = Date.parse(at);
	dates.set(question, date);
	return date;
}
