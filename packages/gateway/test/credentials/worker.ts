// One of several processes that share a vault. Speaks with its parent by messages.
import { join } from "node:path";
import { Account } from "../../src/credentials/account.ts";
import { openCredentialStore } from "../../src/credentials/open-account.ts";
import { Secret } from "../../src/credentials/secret.ts";
import type { Vault } from "../../src/credentials/vault/vault.ts";
import { VaultKeeper } from "../../src/credentials/vault/vault-keeper.ts";
import { FileLock } from "../../src/files/lock.ts";
import { systemClock } from "../../src/time/clock.ts";
import { createConnector } from "../../src/wire/connect/connector.ts";
import { H1Client } from "../../src/wire/h1/h1.ts";

export type Order = { do: "token" } | { do: "refused"; token: string };
export type Outcome = { token: string } | { error: string } | "ready";

const [upstream = "", dataDir = "", dies] = process.argv.slice(2);
const transport = new H1Client({ connect: createConnector() });
const settings = { upstream, dataDir, vault: "file", apiKey: "" };
const { client, keeper, vault } = await openCredentialStore(settings, { transport });
const account = new Account({
	key: "worker",
	keeper: dies === "before-commit" ? mortal(vault) : keeper,
	client,
	clock: systemClock,
	now: Date.now,
});

/** A keeper that dies when the new tokens are there and not yet written. */
function mortal(vault: Vault): VaultKeeper {
	const path = join(dataDir, "credentials", "lock");
	const lock = new FileLock({ path, clock: systemClock, now: Date.now, random: Math.random });
	const killing: Vault = {
		place: () => vault.place(),
		read: () => vault.read(),
		recover: () => vault.recover(),
		clear: () => vault.clear(),
		reserve: async () => ({
			...(await vault.reserve()),
			commit: async () => {
				process.kill(process.pid, "SIGKILL");
				await new Promise(() => {});
			},
		}),
	};
	return new VaultKeeper({ vault: killing, lock });
}

const tell = (outcome: Outcome) => process.send?.(outcome);

process.on("message", (order: Order) => {
	const asked = order.do === "token" ? account.token() : account.tokenRefused(new Secret(order.token));
	asked.then(
		(token) => tell({ token: token.reveal() }),
		(error: Error) => tell({ error: error.message }),
	);
});
tell("ready");
