import { randomBytes } from "node:crypto";
import { refusalToListen } from "../access/bind.ts";
import { strongConfiguredKey } from "../access/configured-key.ts";
import { ensureGatewayKey, type GatewayKey } from "../access/key-file.ts";
import { idOfKey, KeyRing } from "../access/key-ring.ts";
import { type PassingKey, withPassingKeys } from "../access/passing-keys.ts";
import { SettingError, type Settings } from "../config/settings.ts";
import type { GatewayStore } from "../store/store.ts";

/** A store for keys, and the folder with the file of the owner's key. */
export interface KeyPlace {
	store: GatewayStore;
	dataDir: string;
}

/** The keys that open this gateway, and the owner's own. Throws when the settings would leave it open to strangers. */
export async function openKeys(
	{ store, dataDir }: KeyPlace,
	settings: Settings,
	passing: readonly PassingKey[] = [],
): Promise<{ keys: KeyRing; key: GatewayKey | undefined; ownersId: string | undefined }> {
	const { host, allowRemote, noAuth } = settings;
	const configuredKey = strongConfiguredKey(settings) || undefined;
	const keyStore = passing.length > 0 ? withPassingKeys(store, passing, Date.now) : store;
	const keys = new KeyRing({ store: keyStore, now: Date.now, random: randomBytes, configuredKey });
	const key = noAuth || configuredKey ? undefined : await ensureGatewayKey(dataDir, keys, randomBytes);
	const hasKey = key !== undefined || configuredKey !== undefined;
	const refusal = refusalToListen({ host, allowRemote, noAuth, hasKey });
	if (refusal) throw new SettingError(refusal);
	const owners = configuredKey ?? key?.key;
	return { keys, key, ownersId: owners && idOfKey(owners) };
}
