import type { Account } from "../accounts/account.ts";
import type { Backend } from "../backend.ts";
import type { Exchange } from "../http/exchange.ts";
import type { Router } from "../http/router.ts";
import { currentPeriodUsage } from "./dashboard.ts";

const COOKIE = /(?:^|;\s*)WorkosCursorSessionToken=([^;]+)/;

/** What Cursor's web pages ask for. It takes the cookie of a browser session, not a bearer token. */
export function addWeb(router: Router, backend: Backend): void {
	router.add("GET", "/api/usage-summary", (exchange) => {
		const account = sessionAccount(exchange, backend);
		if (!account)
			return exchange.json(401, { error: "not_authenticated", description: "The session cookie is not valid." });
		exchange.json(200, usageSummary(account, backend));
	});
}

/** The cookie holds `<user id>::<access token>`, percent-encoded; the token alone is accepted too. */
function sessionAccount(exchange: Exchange, backend: Backend): Account | undefined {
	const value = COOKIE.exec(exchange.headers.cookie ?? "")?.[1];
	try {
		const [first = "", token = first] = decodeURIComponent(value ?? "").split("::");
		const account = backend.directory.byAccessToken(`Bearer ${token}`);
		return token === first || account.id === first ? account : undefined;
	} catch {
		return undefined;
	}
}

function usageSummary(account: Account, backend: Backend) {
	const usage = currentPeriodUsage(account, backend.directory.models, backend.now());
	const plan = usage.planUsage!;
	const date = (ms: bigint | undefined) => new Date(Number(ms)).toISOString();
	return {
		billingCycleStart: date(usage.billingCycleStart),
		billingCycleEnd: date(usage.billingCycleEnd),
		membershipType: account.plan,
		limitType: account.plan === "team" ? "team" : "user",
		isUnlimited: false,
		individualUsage: {
			plan: {
				enabled: true,
				used: plan.totalSpend,
				limit: plan.limit,
				remaining: plan.remaining,
				breakdown: { included: plan.includedSpend, bonus: 0, total: plan.totalSpend },
				autoPercentUsed: plan.autoPercentUsed,
				apiPercentUsed: plan.apiPercentUsed,
				totalPercentUsed: plan.totalPercentUsed,
			},
			onDemand: { enabled: false, used: 0, limit: null, remaining: null },
		},
		teamUsage: {},
	};
}
