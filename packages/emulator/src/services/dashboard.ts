// Responses of aiserver.v1.DashboardService. SDK 1.0.32 calls GetMe, GetUserPrivacyMode and CreateUserApiKey; the
// conformance cases `privacy` and `login` check what it makes of them.
import type { MessageInitShape } from "@bufbuild/protobuf";
import {
	type CreateUserApiKeyRequest,
	type CreateUserApiKeyResponseSchema,
	type GetCurrentPeriodUsageResponseSchema,
	type GetMeResponseSchema,
	type GetPlanInfoResponseSchema,
	type GetUserPrivacyModeResponseSchema,
	type ListUserApiKeysResponseSchema,
	PrivacyMode,
} from "@cursorwire/protocol/aiserver";
import type { Account } from "../accounts/account.ts";
import type { MintedKey } from "../accounts/directory.ts";
import type { Model } from "../accounts/model-catalog.ts";
import type { Backend } from "../backend.ts";

const DAY_MS = 86_400_000;
const CYCLE_DAYS = 30;

const PLANS: Record<Account["plan"], { name: string; cents: number; price: string }> = {
	free: { name: "Free", cents: 0, price: "$0" },
	pro: { name: "Pro", cents: 2000, price: "$20/mo" },
	pro_plus: { name: "Pro+", cents: 7000, price: "$60/mo" },
	ultra: { name: "Ultra", cents: 40_000, price: "$200/mo" },
	team: { name: "Team", cents: 2000, price: "$40/user/mo" },
};

const PRIVACY_MODES: Record<Account["privacyMode"], PrivacyMode> = {
	"no-storage": PrivacyMode.NO_STORAGE,
	"no-training": PrivacyMode.NO_TRAINING,
	"usage-data": PrivacyMode.USAGE_DATA_TRAINING_ALLOWED,
	codebase: PrivacyMode.USAGE_CODEBASE_TRAINING_ALLOWED,
};

export function me(account: Account): MessageInitShape<typeof GetMeResponseSchema> {
	const [firstName, ...rest] = account.name.split(" ");
	return { authId: `auth0|${account.id}`, userId: 1, email: account.email, firstName, lastName: rest.join(" ") };
}

function cycleEnd(account: Account, now: number): bigint {
	return BigInt(Math.round(now + account.cycleEndsInDays * DAY_MS));
}

export function planInfo(account: Account, now: number): MessageInitShape<typeof GetPlanInfoResponseSchema> {
	const plan = PLANS[account.plan];
	return {
		planInfo: {
			planName: plan.name,
			includedAmountCents: plan.cents,
			price: plan.price,
			billingCycleEnd: cycleEnd(account, now),
		},
	};
}

export function currentPeriodUsage(
	account: Account,
	models: readonly Model[],
	now: number,
): MessageInitShape<typeof GetCurrentPeriodUsageResponseSchema> {
	const { auto, api } = account.quota;
	const percent = (pool: { usedCents: number; limitCents: number }) =>
		pool.limitCents === 0 ? 100 : Math.min(100, (pool.usedCents / pool.limitCents) * 100);
	const total = { usedCents: auto.usedCents + api.usedCents, limitCents: auto.limitCents + api.limitCents };
	const end = cycleEnd(account, now);
	return {
		billingCycleStart: end - BigInt(CYCLE_DAYS * DAY_MS),
		billingCycleEnd: end,
		enabled: true,
		displayMessage: `You've used ${Math.round(percent(total))}% of your included usage`,
		autoBucketModels: models.filter((model) => model.pool === "auto").map((model) => model.id),
		planUsage: {
			totalSpend: Math.round(total.usedCents),
			includedSpend: Math.round(total.usedCents),
			remaining: Math.max(0, Math.round(total.limitCents - total.usedCents)),
			limit: Math.round(total.limitCents),
			autoSpend: Math.round(auto.usedCents),
			apiSpend: Math.round(api.usedCents),
			autoLimit: Math.round(auto.limitCents),
			apiLimit: Math.round(api.limitCents),
			autoPercentUsed: percent(auto),
			apiPercentUsed: percent(api),
			totalPercentUsed: percent(total),
		},
	};
}

export function privacyMode(account: Account): MessageInitShape<typeof GetUserPrivacyModeResponseSchema> {
	return { privacyMode: PRIVACY_MODES[account.privacyMode] };
}

export function createKey(
	backend: Backend,
	account: Account,
	{ name, expiresAt }: CreateUserApiKeyRequest,
): MessageInitShape<typeof CreateUserApiKeyResponseSchema> {
	backend.stats.auth.keysMinted += 1;
	const minted = backend.directory.mintKey(account, name, expiresAt === undefined ? undefined : Number(expiresAt));
	return { apiKey: minted.key };
}

export function listKeys(keys: MintedKey[]): MessageInitShape<typeof ListUserApiKeysResponseSchema> {
	return {
		apiKeys: keys.map((key) => ({
			id: key.id,
			maskedKey: `${key.key.slice(0, 9)}…`,
			name: key.name,
			createdAt: BigInt(key.createdAt),
			expiresAt: key.expiresAt === undefined ? undefined : BigInt(key.expiresAt),
		})),
	};
}
