// Mistakes that would mix up or lose conversations, one for each row. See scripts/test-mutants.mjs.
const SESSIONS = "packages/gateway/test/sessions";

export default [
	{
		row: "S1",
		mistake: "a result for a call nobody knows is refused",
		file: "packages/gateway/src/sessions/resolve.ts",
		find: "if (!parked || waiting.size > 1 ||",
		replace: `if (!parked) throw new GatewayError("conflict");\n\tif (waiting.size > 1 ||`,
		test: `${SESSIONS}/ladder.test.ts`,
	},
	{
		row: "S2",
		mistake: "a result that was changed is taken as the same",
		file: "packages/gateway/src/sessions/answered-calls.ts",
		find: `if (answered.hashes.get(callId) !== hash) return { kind: "conflict" };`,
		replace: "",
		test: `${SESSIONS}/results.test.ts`,
	},
	{
		row: "S3",
		mistake: "runs are found by the beginning of a call's id",
		file: "packages/gateway/src/sessions/parked-runs.ts",
		find: "const key = (caller: string, callId: string) => `${caller}\\n${callId}`;",
		replace: "const key = (caller: string, callId: string) => `${caller}\\n${callId.slice(0, 6)}`;",
		test: `${SESSIONS}/isolation.test.ts`,
	},
	{
		row: "S4",
		mistake: "one conversation of a caller ends the other",
		file: "packages/gateway/src/sessions/parked-runs.ts",
		find: "if (own.length > this.#limits.perCaller) this.#drop(own[0]!);",
		replace: "if (own.length > 1) this.#drop(own[0]!);",
		test: `${SESSIONS}/isolation.test.ts`,
	},
	{
		row: "S8",
		mistake: "what was kept in memory is forgotten when Redis is back",
		file: "packages/gateway/src/store/failover.ts",
		find: "await this.#options.handOver(opened);",
		replace: "",
		test: "packages/gateway/test/store/redis-failover.test.ts",
	},
	{
		row: "S8",
		mistake: "a turn fails with the Redis",
		file: "packages/gateway/src/store/failover.ts",
		find: "		return write(this.#options.memory);",
		replace: `		throw new Error("there is no store");`,
		test: "packages/gateway/test/store/redis-failover.test.ts",
	},
];
