import type { DescMessage, MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import { AgentService } from "@cursorwire/protocol/agent";
import { AiService, AnalyticsService, DashboardService, ServerConfigService } from "@cursorwire/protocol/aiserver";
import type { Account } from "../accounts/account.ts";
import type { Backend } from "../backend.ts";
import type { Exchange } from "../http/exchange.ts";
import type { Router } from "../http/router.ts";
import { RpcFailure } from "../rpc/failure.ts";
import { type UnaryImplementation, type UnaryMethod, unary } from "../rpc/unary.ts";
import { createKey, currentPeriodUsage, listKeys, me, planInfo, privacyMode } from "./dashboard.ts";
import { availableModels, defaultModel, usableModels } from "./models.ts";
import { serverConfig } from "./server-config.ts";

/** The unary RPCs that official and third-party clients call. */
export function addUnaryRpcs(router: Router, backend: Backend): void {
	const { directory } = backend;
	const add = <I extends DescMessage, O extends DescMessage>(
		method: UnaryMethod<I, O>,
		implementation: UnaryImplementation<I, O>,
		name = method.name,
	) => {
		const handler = unary(method, implementation, (exchange, body) => backend.log.addBody(exchange, body), {
			enveloped: () => backend.switches.get("enveloped-unary") === "on",
		});
		router.add("POST", `/${method.parent.typeName}/${name}`, handler);
	};
	/** Adds an RPC that needs an access token. */
	const signedIn = <I extends DescMessage, O extends DescMessage>(
		method: UnaryMethod<I, O>,
		implementation: (account: Account, request: MessageShape<I>) => MessageInitShape<O>,
		name?: string,
	) => {
		add(
			method,
			(request, exchange) => implementation(directory.byAccessToken(exchange.headers.authorization), request),
			name,
		);
	};

	const agent = AgentService.method;
	signedIn(agent.getUsableModels, () => usableModels(directory.models));
	signedIn(agent.getDefaultModelForCli, () => defaultModel(directory.models));
	signedIn(agent.getAllowedModelIntents, () => ({ modelIntents: [] }));
	signedIn(agent.nameAgent, (_, { userMessage }) => ({
		name: userMessage.split(/\s+/).slice(0, 5).join(" ") || "New Agent",
	}));

	const ai = AiService.method;
	signedIn(ai.getUsableModels, () => usableModels(directory.models));
	signedIn(ai.getDefaultModelForCli, () => defaultModel(directory.models));
	signedIn(ai.availableModels, () => availableModels(directory.models));

	const dashboard = DashboardService.method;
	signedIn(dashboard.getMe, me);
	signedIn(dashboard.getPlanInfo, (account) => planInfo(account, backend.now()));
	signedIn(dashboard.getCurrentPeriodUsage, (account) => currentPeriodUsage(account, directory.models, backend.now()));
	signedIn(dashboard.getUserPrivacyMode, privacyMode);
	signedIn(dashboard.getUserPrivacyMode, privacyMode, "GetPrivacyMode");
	signedIn(dashboard.createUserApiKey, (account, request) => createKey(backend, account, request));
	signedIn(dashboard.revokeUserApiKey, (account, { id }) => {
		directory.revokeKey(account, id);
		return {};
	});
	signedIn(dashboard.listUserApiKeys, (account) => listKeys(directory.keysOf(account)));
	// No account here is in a team or has plugins. An empty message says so.
	signedIn(dashboard.getTeamReposOrEmptyIfNotInTeam, () => ({}));
	signedIn(dashboard.getTeamAdminSettingsOrEmptyIfNotInTeam, () => ({}));
	signedIn(dashboard.getEffectiveUserPlugins, () => ({}));
	signedIn(dashboard.resolvePluginsByRef, () => ({}));
	signedIn(dashboard.getManagedSkills, () => ({}));

	signedIn(ServerConfigService.method.getServerConfig, (account) => serverConfig(backend, account));
	// Telemetry is accepted and not kept.
	add(AnalyticsService.method.trackEvents, () => ({}));
	add(AnalyticsService.method.bootstrapStatsig, () => ({}));
}

/** The response to an RPC that is not served. */
export function unimplemented(exchange: Exchange): void {
	const failure = new RpcFailure("unimplemented", `${exchange.path} is not implemented`);
	exchange.json(404, failure.toJson());
}
