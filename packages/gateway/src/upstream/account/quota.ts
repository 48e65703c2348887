import { DashboardService, type GetCurrentPeriodUsageResponse_PlanUsage } from "@cursorwire/protocol/aiserver";
import { callUnary, type RpcClient } from "./rpc.ts";

/** One of the two pools of included usage. */
export interface QuotaPool {
	/** `auto`: the automatic choice and Cursor's own models. `api`: models chosen by name. */
	name: "auto" | "api";
	/** 0 to 100; undefined if Cursor does not say. */
	usedPercent: number | undefined;
	usedCents?: number;
	limitCents?: number;
}

/** How much of its quota an account has used in the current period. */
export interface AccountQuota {
	plan: string | undefined;
	email: string | undefined;
	pools: QuotaPool[];
	/** Beginning of the billing period. */
	periodStart?: Date | undefined;
	/** End of the billing period. */
	resetsAt: Date | undefined;
	/** Cursor's own summary. */
	message: string | undefined;
	/** Models that are charged to the `auto` pool. */
	autoModels: string[];
}

/**
 * Reads plan, pools and reset date. Plan and address are optional; only the usage itself is required, and with
 * `poolsOnly` nothing else is asked for.
 */
export async function readQuota(client: RpcClient, poolsOnly = false): Promise<AccountQuota> {
	const { getPlanInfo, getCurrentPeriodUsage, getMe } = DashboardService.method;
	const [usage, plan, me] = await Promise.all([
		callUnary(client, getCurrentPeriodUsage, {}),
		poolsOnly ? undefined : callUnary(client, getPlanInfo, {}).catch(() => undefined),
		poolsOnly ? undefined : callUnary(client, getMe, {}).catch(() => undefined),
	]);
	return {
		plan: plan?.planInfo?.planName || undefined,
		email: me?.email || undefined,
		pools: poolsOf(usage.planUsage),
		periodStart: toDate(usage.billingCycleStart),
		resetsAt: toDate(usage.billingCycleEnd) ?? toDate(plan?.planInfo?.billingCycleEnd ?? 0n),
		message: usage.displayMessage || undefined,
		autoModels: [...usage.autoBucketModels],
	};
}

function poolsOf(usage: GetCurrentPeriodUsageResponse_PlanUsage | undefined): QuotaPool[] {
	if (!usage) return [];
	return [
		pool("auto", usage.autoPercentUsed, usage.autoSpend, usage.autoLimit),
		pool("api", usage.apiPercentUsed, usage.apiSpend, usage.apiLimit),
	];
}

function pool(name: QuotaPool["name"], percent?: number, usedCents?: number, limitCents?: number): QuotaPool {
	const computed = usedCents !== undefined && limitCents ? (usedCents / limitCents) * 100 : undefined;
	const usedPercent = percent ?? computed;
	return {
		name,
		usedPercent: usedPercent === undefined ? undefined : Math.min(100, Math.max(0, usedPercent)),
		...(usedCents !== undefined && { usedCents }),
		...(limitCents !== undefined && { limitCents }),
	};
}

function toDate(milliseconds: bigint): Date | undefined {
	const date = new Date(Number(milliseconds));
	return milliseconds > 0n && !Number.isNaN(date.getTime()) ? date : undefined;
}
