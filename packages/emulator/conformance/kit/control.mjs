// What happened from the emulator's point of view, read from its control API.
import { setTimeout as sleep } from "node:timers/promises";

const WAIT_LIMIT_MS = 90_000;
const POLL_MS = 50;

/** @param {string} url the emulator */
export function createControl(url) {
	const read = async (path) => {
		const response = await fetch(new URL(path, url));
		if (!response.ok) throw new Error(`GET ${path} answered ${response.status}`);
		return response.json();
	};
	const stats = () => read("/__emulator/stats");
	const requests = async () => (await read("/__emulator/requests")).requests;
	return {
		stats,
		requests,

		/**
		 * Waits for a condition. The counters change when the server notices, which can be later than at the client.
		 * @template T
		 * @param {string} what
		 * @param {() => Promise<T | undefined | false>} probe
		 * @returns {Promise<T>}
		 */
		async until(what, probe) {
			const deadline = Date.now() + WAIT_LIMIT_MS;
			for (;;) {
				const value = await probe();
				if (value) return value;
				if (Date.now() > deadline) throw new Error(`the emulator never showed: ${what}`);
				await sleep(POLL_MS);
			}
		},
	};
}
