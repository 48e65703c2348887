import { type HostRole, isRun, servesRuns } from "./agent-hosts.ts";
import type { Backend } from "./backend.ts";
import type { Exchange } from "./http/exchange.ts";
import type { Router } from "./http/router.ts";
import { unimplemented } from "./services/unary-rpcs.ts";

/** Counts and logs a request, finds its handler, and turns whatever the handler throws into a 400. */
export async function serveExchange(
	exchange: Exchange,
	router: Router,
	backend: Backend,
	role: HostRole,
): Promise<void> {
	backend.stats.called(exchange.path);
	backend.stats.exchanges.open += 1;
	exchange.onClosed(() => {
		backend.stats.exchanges.open -= 1;
	});
	if (!exchange.path.startsWith("/__emulator/")) backend.log.add(exchange);
	try {
		if (isRun(exchange) && !servesRuns(backend, exchange, role)) {
			// docs/protocol.md, Hosts and headers: a host of the wrong region answers 200 with an empty body.
			exchange.send(200, { "content-type": "application/connect+proto" });
			return;
		}
		const handler = router.find(exchange.method, exchange.path);
		if (handler) await handler(exchange);
		else if (exchange.method === "POST") unimplemented(exchange);
		else exchange.text(404, "Not found: this is the Cursorwire emulator, see /__emulator/stats\n");
	} catch (error) {
		if (exchange.clientGone.aborted) return;
		backend.report(`${exchange.method} ${exchange.path}: ${(error as Error).message}`);
		exchange.json(400, { error: { code: "bad_request", message: (error as Error).message } });
	}
}
