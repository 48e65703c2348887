import { randomBytes } from "node:crypto";
import { configuredKey } from "../../access/configured-key.ts";
import { KeyRing } from "../../access/key-ring.ts";
import { makeKey } from "../../access/keys.ts";
import { type FoundGateway, findGateway } from "../../app/discovery.ts";
import { SettingError, type Settings } from "../../config/settings.ts";
import { openStore } from "../../store/open-store.ts";
import { NoGatewayError } from "../process/exit-codes.ts";

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
	/** It is the demo, which ends with its terminal. */
	isDemo: boolean;
}

/** The gateway that was named, or the running one that uses this data folder. `keyOption`: how the caller takes a key. */
export function chooseGateway(settings: Settings, flags: GatewayFlags, keyOption = "--key"): ChosenGateway {
	const found = findGateway(settings.dataDir);
	if (flags.url !== undefined) return namedGateway(flags.url, flags.key ?? configuredKey(settings), found, keyOption);
	if (!found) {
		throw new NoGatewayError(
			`No gateway is running. Start one with \`cursorwire serve\` (or \`cursorwire demo\`), or name it with --url and ${keyOption}.`,
		);
	}
	const key = flags.key ?? found.key ?? configuredKey(settings);
	const isDemo = found.mode === "demo";
	if (found.auth === "none") return { url: found.url, key: key || "not-needed", canMakeKeys: false, isDemo };
	if (key === "")
		throw new SettingError(`the gateway at ${found.url} uses a key from its settings: give it with ${keyOption}`);
	return { url: found.url, key, canMakeKeys: flags.key === undefined && isOfThisFolder(found), isDemo };
}

const isOfThisFolder = ({ mode, auth }: FoundGateway): boolean => mode === "serve" && auth === "key-file";

function namedGateway(text: string, key: string, found: FoundGateway | undefined, keyOption: string): ChosenGateway {
	const url = URL.canParse(text) ? new URL(text) : undefined;
	if (url?.protocol !== "http:" && url?.protocol !== "https:")
		throw new SettingError(`--url: "${text}" is not an http URL`);
	const address = url.href.replace(/\/(v1\/?)?$/, "");
	const own = found?.url === address ? found : undefined;
	if (key === "" && own?.key === undefined) throw new SettingError(`give the gateway's key with ${keyOption} as well`);
	return { url: address, key: key || own!.key!, canMakeKeys: false, isDemo: own?.mode === "demo" };
}

/** A client's own key, so that `usage` can list the client and its key can be revoked alone. */
export class ClientKey {
	readonly key: string;
	readonly #settings: Settings;
	readonly #id: string | undefined;

	private constructor(settings: Settings, key: string, id?: string) {
		this.#settings = settings;
		this.key = key;
		this.#id = id;
	}

	/** The key that the client has, if it is still valid; otherwise a new one, which `add` makes valid. */
	static async choose(settings: Settings, former: string | undefined): Promise<ClientKey> {
		const known = former && (await withKeyRing(settings, async (ring) => ring?.find(former)));
		return known ? new ClientKey(settings, former, known.id) : new ClientKey(settings, makeKey(randomBytes));
	}

	get isNew(): boolean {
		return this.#id === undefined;
	}

	/** Makes it valid and returns its id. Undefined: nothing can be written. */
	async add(name: string): Promise<string | undefined> {
		if (this.#id !== undefined) return this.#id;
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
