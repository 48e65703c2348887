import { randomBytes } from "node:crypto";
import type { AdmittedCaller } from "../access/caller.ts";
import { openSealing } from "../access/sealing.ts";
import { TurnGate } from "../access/turn-gate.ts";
import type { Settings } from "../config/settings.ts";
import { parseCredential, type WrittenCredential } from "../credentials/parse-credential.ts";
import { codeRoute } from "../page/page-routes.ts";
import { apiRoutes } from "../routes/api-routes.ts";
import { StoredResponses } from "../routes/stored-responses.ts";
import type { Route } from "../server/exchange.ts";
import { soon } from "../time/soon.ts";
import type { Ending } from "./close-gateway.ts";
import { responsesKeptMs, turnLimits } from "./limits.ts";
import type { GatewayParts } from "./open-parts.ts";
import type { UpstreamSide } from "./upstream/upstream.ts";

/** Everything that a gateway answers: the client APIs, its own, and the page. */
export function gatewayRoutes(
	parts: GatewayParts,
	settings: Settings,
	version: string,
	ending: Ending,
): readonly Route<AdmittedCaller>[] {
	const { store, keys, ownersId, late, quota, guard, ladder, turns, page, measuring, group } = parts;
	const { logReaders, problems, warn, reportBug } = parts;
	const isOwner = ({ kind, keyId }: AdmittedCaller) =>
		kind === "anonymous" || (keyId !== undefined && keyId === ownersId);
	const api = apiRoutes({
		version,
		webSockets: settings.webSockets,
		turns,
		gate: new TurnGate(turnLimits(settings), group?.turns),
		responses: new StoredResponses(store, reportBug, responsesKeptMs(settings)),
		storeKind: () => store.kind,
		problems,
		accountOf(caller) {
			const credential = caller.credential === undefined ? undefined : parseCredential(caller.credential);
			return soon(late.side, accountOf, credential);
		},
		sealer: openSealing({
			dataDir: settings.dataDir,
			...(settings.redis && { sharedSecret: (fresh: Uint8Array) => store.sharedSecret(fresh) }),
			random: randomBytes,
			warn,
		}),
		isClosing: () => ending.isClosing,
		isLeaving: () => ending.isLeaving,
		isOwner,
		logReaders,
		waiting: () => ladder.waiting(),
		keys: () => keys.list(),
		usageSince: (since) => store.usageSince(since),
		ledger: store,
		metrics: measuring.families,
		quota,
		guard,
	});
	return [...api, codeRoute(page?.sessions, isOwner), ...(page?.routes ?? [])];
}

/** The account that a credential stands for, or the owner's. */
const accountOf = (side: UpstreamSide, credential: WrittenCredential | undefined) =>
	credential ? side.guests.of(credential) : side.ownAccount();
