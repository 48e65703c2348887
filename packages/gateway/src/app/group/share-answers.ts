import { createHash } from "node:crypto";
import { AnswerFile } from "../../calibrate/answer-file.ts";
import { ownAccountKey } from "../../calibrate/own-account.ts";
import { type AnswerBoard, SharedAnswers } from "../../calibrate/shared-answers.ts";
import type { Settings } from "../../config/settings.ts";
import type { Clock } from "../../time/clock.ts";

/** How long it takes the other gateways to learn what one has found out. */
const EXCHANGE_MS = 2_000;

/**
 * Exchanges with the other gateways what is known about the server of an account, which they have the same login for.
 * `login`: identifies it; undefined while it is not known. Returns what ends the exchange.
 */
export function shareAnswers(
	{ dataDir, upstream, clientVersion, apiKey }: Settings,
	board: AnswerBoard,
	login: () => Promise<string | undefined>,
	clock: Clock,
): () => void {
	const file = new AnswerFile(dataDir, upstream);
	const shared = new SharedAnswers({ board, file, account: ownAccountKey({ apiKey }), clientVersion });
	const exchange = async () => {
		const id = await login();
		if (id === undefined) return;
		await shared.exchange(
			createHash("sha256")
				.update(JSON.stringify([upstream, id, clientVersion]))
				.digest("hex"),
		);
	};
	let cancel: () => void;
	const later = () => {
		cancel = clock.after(EXCHANGE_MS, () => {
			// Without Redis or without a login every gateway keeps to itself.
			void exchange()
				.catch(() => {})
				.finally(() => !isOver && later());
		});
	};
	let isOver = false;
	later();
	return () => {
		isOver = true;
		cancel();
	};
}
