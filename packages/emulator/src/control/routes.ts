import type { Backend } from "../backend.ts";
import type { Exchange } from "../http/exchange.ts";
import type { Router } from "../http/router.ts";

const PREFIX = "/__emulator";

export interface ControlSources {
	stats(): unknown;
	caPem: string | undefined;
}

/** The control API (docs/emulator.md, Insight and control). It needs no access control: nothing here is secret. */
export function addControl(router: Router, backend: Backend, sources: ControlSources): void {
	router.add("GET", `${PREFIX}/stats`, (exchange) => exchange.json(200, sources.stats()));
	router.add("GET", `${PREFIX}/requests`, (exchange) => exchange.json(200, { requests: backend.log.list() }));
	router.add("GET", `${PREFIX}/usage`, (exchange) => exchange.json(200, { runs: backend.bills.list() }));
	router.add("DELETE", `${PREFIX}/requests`, (exchange) => {
		backend.log.clear();
		exchange.json(200, {});
	});
	router.add("GET", `${PREFIX}/prompts`, (exchange) => exchange.json(200, { prompts: backend.promptLog.list() }));
	router.add("DELETE", `${PREFIX}/prompts`, (exchange) => {
		backend.promptLog.clear();
		exchange.json(200, {});
	});

	router.add("GET", `${PREFIX}/faults`, (exchange) => exchange.json(200, { faults: backend.faults.list() }));
	router.add("POST", `${PREFIX}/faults`, (exchange) =>
		change(exchange, "fault", (spec) => {
			backend.faults.add(spec);
			return { faults: backend.faults.list() };
		}),
	);
	router.add("DELETE", `${PREFIX}/faults`, (exchange) => {
		backend.faults.clear();
		exchange.json(200, { faults: [] });
	});

	router.add("GET", `${PREFIX}/switches`, (exchange) => exchange.json(200, backend.switches.list()));
	router.add("POST", `${PREFIX}/switches`, (exchange) =>
		change(exchange, "set", (setting) => {
			backend.switches.set(setting);
			return backend.switches.list();
		}),
	);

	router.add("POST", `${PREFIX}/tokens/expire`, (exchange) => {
		backend.directory.expireAccessTokens();
		exchange.json(200, {});
	});
	router.add("GET", `${PREFIX}/ca.pem`, (exchange) =>
		sources.caPem
			? exchange.text(200, sources.caPem, "application/x-pem-file")
			: exchange.text(404, "started without --tls\n"),
	);
}

/** `{"<field>": "…"}` in, the new state out, or 400 with the reason. */
async function change(exchange: Exchange, field: string, apply: (value: string) => unknown): Promise<void> {
	try {
		const body = JSON.parse((await exchange.body()).toString("utf8"));
		if (typeof body?.[field] !== "string") throw new Error(`the body must be {"${field}": "…"}`);
		exchange.json(200, apply(body[field]));
	} catch (error) {
		exchange.json(400, { error: (error as Error).message });
	}
}
