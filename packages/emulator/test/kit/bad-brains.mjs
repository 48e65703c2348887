// Brains as nobody should write them, each under the prompt that asks for it.
const later = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const yields = (...actions) =>
	async function* () {
		yield* actions;
	};

const BRAINS = {
	"throws at once": () => {
		throw new Error("at once");
	},
	"throws later": async function* () {
		yield { text: "a" };
		await later(5);
		throw new Error("later");
	},
	"throws something that is no error": async function* () {
		yield { text: "a" };
		throw undefined;
	},
	"is no generator": async () => "text",
	"returns nothing": () => undefined,
	"is a plain generator": function* () {
		yield { text: "a" };
	},
	"has a return that throws": () => ({
		next: async () => ({ done: false, value: { text: "a" } }),
		return: () => {
			throw new Error("return");
		},
	}),
	"yields nothing": yields(undefined),
	"yields null": yields(null),
	"yields a number": yields(7),
	"yields a text that is none": yields({ text: 7 }),
	"yields a thought that is none": yields({ thinking: Symbol("x") }),
	"yields calls that are none": yields({ calls: "read" }),
	"yields an empty call": yields({ calls: [null] }),
	"yields arguments that are not JSON": yields({ calls: [{ name: "t", arguments: { a: 1n } }] }),
	"yields an exec nobody knows": yields({ exec: { kind: "melt" } }),
	"yields a query nobody knows": yields({ query: { kind: "melt" } }),
	"yields an update nobody knows": yields({ update: { kind: "melt" } }),
	"yields an error of no code": yields({ error: { code: "melt", message: 5, details: { error: "MELT" } } }),
	"yields an error whose details are none": yields({ error: { details: 7 } }),
	"yields counts that are none": yields({ usage: { inputTokens: 1.5 } }),
	"yields a window that is none": yields({ usage: { usedTokens: -1 } }),
	"yields a delay that is none": yields({ delay: "soon" }),
	"drops the connection": yields({ text: "a" }, { drop: true }),
	"never returns": async function* () {
		yield { text: "a" };
		await new Promise(() => {});
	},
	"says nothing for ever": yields({ hang: true }),
	"rejects after the client left": async function* (turn) {
		yield { text: "a" };
		await new Promise((_, reject) => turn.signal.addEventListener("abort", () => reject(new Error("left"))));
	},
	"fails beside its turn": async function* () {
		void later(5).then(() => {
			throw new Error("beside");
		});
		setTimeout(() => {
			throw new Error("in a timer");
		}, 5);
		yield { text: "a" };
		await later(20);
	},
	blocks: async function* () {
		const until = Date.now() + 100;
		while (Date.now() < until);
		yield { text: "a" };
	},
};

export const PROMPTS = Object.keys(BRAINS);

export default function brain(turn) {
	const bad = BRAINS[turn.prompt];
	return bad ? bad(turn) : yields({ text: turn.prompt })();
}
