import { randomBytes } from "node:crypto";
import { configuredKey } from "../access/configured-key.ts";
import { KeyRing } from "../access/key-ring.ts";
import { makeKey } from "../access/keys.ts";
import { type FoundGateway, findGateway } from "../app/discovery.ts";
import { SettingError, type Settings } from "../config/settings.ts";
import { openStore } from "../store/open-store.ts";
import { NoGatewayError } from "./exit-codes.ts";

export interface GatewayFlags {
	url?: string;
	key?: string;
}

/** The gateway that a client is to be connected to. */
export interface ChosenGateway {
	/** Without `/v1`. */
	url: string;
	/** A key that it accepts. */
	key: string;
	/** Whether the client can get a key of its own. */
	canMakeKeys: boolean;
}

/** The gateway that was named, or the running one that uses this data folder. */
export function chooseGateway(settings: Settings, flags: GatewayFlags): ChosenGateway {
	const found = findGateway(settings.dataDir);
	if (flags.url !== undefined) return namedGateway(flags.url, flags.key ?? configuredKey(settings), found);
	if (!found) {
		throw new NoGatewayError(
			"No gateway is running. Start one with `cursorwire serve` (or `cursorwire demo`), or name it with --url and --key.",
		);
	}
	const key = flags.key ?? found.key ?? configuredKey(settings);
	if (found.auth === "none") return { url: found.url, key: key || "not-needed", canMakeKeys: false };
	if (key === "")
		throw new SettingError(`the gateway at ${found.url} uses a key from its settings: give it with --key`);
	return { url: found.url, key, canMakeKeys: flags.key === undefined && isOfThisFolder(found) };
}

const isOfThisFolder = ({ mode, auth }: FoundGateway): boolean => mode === "serve" && auth === "key-file";

function namedGateway(text: string, key: string, found: FoundGateway | undefined): ChosenGateway {
	const url = URL.canParse(text) ? new URL(text) : undefined;
	if (url?.protocol !== "http:" && url?.protocol !== "https:")
		throw new SettingError(`--url: "${text}" is not an http URL`);
	const address = url.href.replace(/\/(v1\/?)?$/, "");
	const known = found?.url === address ? found.key : undefined;
	if (key === "" && known === undefined) throw new SettingError("give the gateway's key with --key as well");
	return { url: address, key: key || known!, canMakeKeys: false };
}

/** A client's own key, so that `usage` can list the client and its key can be revoked alone. */
export class ClientKey {
	readonly key = makeKey(randomBytes);
	readonly #settings: Settings;

	constructor(settings: Settings) {
		this.#settings = settings;
	}

	/** Makes it valid and returns its id. Undefined: nothing can be written. */
	add(name: string): Promise<string | undefined> {
		return withKeyRing(this.#settings, async (ring) => ring && (await ring.add(name, { key: this.key })).record.id);
	}
}

export function revokeKey(settings: Settings, id: string): Promise<boolean> {
	return withKeyRing(settings, async (ring) => ring !== undefined && (await ring.revoke(id)));
}

async function withKeyRing<T>(
	{ dataDir, redis, caFile }: Settings,
	work: (ring: KeyRing | undefined) => Promise<T>,
): Promise<T> {
	const store = await openStore({ dataDir, redis, caFile, warn: () => {} });
	try {
		const isWritable = store.status().degraded === undefined;
		return await work(isWritable ? new KeyRing({ store, now: Date.now, random: randomBytes }) : undefined);
	} finally {
		await store.close();
	}
}
