import type { Backend } from "../backend.ts";
import { RpcFailure } from "../rpc/failure.ts";
import { toFailure } from "../rpc/unary.ts";
import type { BidiChannel, BidiService } from "./channel.ts";

/** Runs a service on a channel, with the checks and counters that every stream needs. */
export async function serve(backend: Backend, service: BidiService, channel: BidiChannel): Promise<void> {
	const { stats } = backend;
	let ended = false;
	stats.streamOpened();
	channel.clientGone.addEventListener(
		"abort",
		() => {
			if (!ended) stats.runs.cancelled.push({ at: backend.now(), requestId: channel.requestId, rpc: channel.rpc });
		},
		{ once: true },
	);
	try {
		backend.directory.byAccessToken(channel.exchange.headers.authorization);
		refuseOldClients(backend);
		await service({
			...channel,
			end: (failure) => {
				ended = true;
				channel.end(failure);
			},
			drop: () => {
				ended = true;
				channel.drop();
			},
		});
	} catch (error) {
		const failure = toFailure(error);
		if (failure.code === "internal") backend.report(`${channel.rpc}: ${failure.message}`);
		ended = true;
		stats.runs.failed += 1;
		channel.end(failure);
	} finally {
		stats.streamClosed();
	}
}

function refuseOldClients(backend: Backend): void {
	if (backend.switches.get("client-version") !== "outdated") return;
	throw new RpcFailure("failed_precondition", "Error", {
		error: "ERROR_OUTDATED_CLIENT",
		title: "Update Required",
		detail: "Please update to the latest version of Cursor to continue.",
	});
}
