import type { ServerResponse } from "node:http";
import type { AdmittedCaller } from "../../access/caller.ts";
import type { ApiRequest } from "../../routes/api-parts.ts";
import { pathParam, queryOf } from "../../routes/json-handler.ts";
import type { Handler, Route } from "../../server/exchange.ts";
import { sendLargeJson } from "../../server/send-json.ts";
import { freshByCost, freshFor } from "../../time/fresh.ts";
import { DATA_HEADERS } from "../page-headers.ts";
import { readClients } from "./clients.ts";
import { FINDINGS_FRESH_MS, readHealth } from "./health.ts";
import { readModels } from "./models.ts";
import { HEAVY_FRESH, NAMES_FRESH_MS, type PageDataParts } from "./parts.ts";
import { readPlan } from "./plan.ts";
import { readRecording } from "./recording.ts";
import { examine, reportText } from "./report.ts";
import { readTotals } from "./totals.ts";
import { readTurn } from "./turn.ts";
import { readTurns, wholeNumber } from "./turns.ts";

/** What the views of the page show. Every path is behind a session (`page-routes.ts`). */
export function dataRoutes(parts: PageDataParts): Route<AdmittedCaller>[] {
	const diagnosis = freshFor(FINDINGS_FRESH_MS, () => examine(parts), parts.now);
	const findings = async () => (await diagnosis()).findings;
	const names = freshFor(NAMES_FRESH_MS, () => parts.store.ledgerNames(), parts.now);
	const heavy = <T>(read: () => Promise<T>) => freshByCost(HEAVY_FRESH, read, parts.now);
	const [plan, models, clients] = [
		heavy(() => readPlan(parts)),
		heavy(() => readModels(parts)),
		heavy(() => readClients(parts)),
	];
	return [
		get("plan", plan),
		get("totals", (requested) => readTotals(parts, wholeNumber(queryOf(requested).since, "since") ?? 0)),
		get("turns", (requested) => readTurns(parts, queryOf(requested), names)),
		get("turns/:id", (requested) => readTurn(parts, idIn(requested))),
		get("models", models),
		get("clients", clients),
		get("health", () => readHealth(parts, findings)),
		{ method: "GET", path: "/page/api/report", handler: report(parts, diagnosis) },
		{ method: "GET", path: "/page/api/turns/:id/recording", handler: recording(parts) },
	];
}

function get(path: string, answer: (requested: ApiRequest) => Promise<object>): Route<AdmittedCaller> {
	return {
		method: "GET",
		path: `/page/api/${path}`,
		handler: async (requested) => sendLargeJson(requested.response, DATA_HEADERS, await answer(requested)),
	};
}

const idIn = (requested: ApiRequest): number => wholeNumber(pathParam(requested, "id"), "id") ?? 0;

function report(parts: PageDataParts, diagnosis: () => ReturnType<typeof examine>): Handler<AdmittedCaller> {
	return async ({ response }) => {
		const text = await reportText(parts, await diagnosis());
		sendFile(response, "cursorwire-report.json", "application/json; charset=utf-8", text);
	};
}

function recording(parts: PageDataParts): Handler<AdmittedCaller> {
	return async (requested) => {
		const { name, bytes } = await readRecording(parts, idIn(requested));
		sendFile(requested.response, name, "application/jsonl", bytes);
	};
}

/** As something to save, never to show. */
function sendFile(response: ServerResponse, name: string, type: string, content: string | Uint8Array): void {
	response.writeHead(200, {
		...DATA_HEADERS,
		"content-type": type,
		"content-disposition": `attachment; filename="${name}"`,
	});
	response.end(content);
}
