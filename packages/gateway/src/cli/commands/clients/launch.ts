import { readPlaces } from "../../../config/places.ts";
import { SettingError, type Settings } from "../../../config/settings.ts";
import type { Client, Target } from "../../../connect/client.ts";
import { GatewayRefusal, offersWebSockets } from "../../../connect/gateway-client.ts";
import type { LimitTerms } from "../../../guard/limit-text.ts";
import { LAUNCH_CLIENTS } from "../../../launch/clients.ts";
import { connectedSettings } from "../../../launch/connected-settings.ts";
import type { Extras } from "../../../launch/launch-client.ts";
import { LaunchFolder } from "../../../launch/launch-folder.ts";
import { SignalRelay } from "../../../launch/signal-relay.ts";
import { startClient } from "../../../launch/start-client.ts";
import { pastProxies, usualVariables } from "../../../launch/usual-variables.ts";
import { GatewayError } from "../../../turn/error.ts";
import { offeredModels } from "../../gateway/offered-models.ts";
import { loadHomeSettings } from "../../home-settings.ts";
import { askCost, costLines, settledCost } from "../../launch/launch-cost.ts";
import { type LaunchGateway, openLaunchGateway } from "../../launch/launch-gateway.ts";
import { LaunchKey } from "../../launch/launch-key.ts";
import { lookFor, type Wanted, wantedOf } from "../../launch/wanted.ts";
import { limitTerms } from "../../limit-terms.ts";
import type { LaunchFlags } from "../../options/clients/launch.ts";
import { runCommand } from "../../process/run-command.ts";
import { painter } from "../../terminal/output.ts";
import { printTable } from "../../terminal/table.ts";

/** `cursorwire launch`: one launch of a client. Whatever it needs is there for the launch, and gone afterwards. */
export function launch(client: string | undefined, words: string[], flags: LaunchFlags): Promise<void> {
	return runCommand(async (interrupted) => {
		const given = client === undefined ? words : [client, ...words];
		if (given.length === 0) return listClients();
		const wanted = wantedOf(given, process.argv);
		const terms = (flags.limit ?? []).map((text) => limitTerms(text, "--limit"));
		const { settings } = loadHomeSettings();
		const stop = new AbortController();
		const relay = new SignalRelay({ hasTerminal: hasTerminal(), stop: () => stop.abort() });
		const early = AbortSignal.any([interrupted, stop.signal]);
		try {
			process.exitCode = await withGateway({ wanted, terms, flags, settings, relay, early });
		} finally {
			relay.close();
		}
	});
}

interface Launch {
	wanted: Wanted;
	terms: readonly LimitTerms[];
	flags: LaunchFlags;
	settings: Settings;
	relay: SignalRelay;
	/** Aborted by a signal that comes before the client has started. */
	early: AbortSignal;
}

/** Undoes one thing after the other, the last one first, even if one of them fails. */
async function withGateway(context: Launch): Promise<number> {
	const { flags, settings, terms, wanted } = context;
	const gateway = await openLaunchGateway(settings, flags);
	try {
		if (gateway.givenKey !== undefined) {
			if (terms.length > 0)
				throw new SettingError("--limit needs a key of the launch's own, which cannot be made with --url or --key");
			return await inFolder(context, gateway, gateway.givenKey, new LaunchKey(settings).id);
		}
		const key = new LaunchKey(settings);
		try {
			await key.add(`${wanted.name} (launch)`, terms);
			return await inFolder(context, gateway, key.key, key.id);
		} finally {
			await key.revoke();
		}
	} finally {
		await gateway.close();
	}
}

async function inFolder(context: Launch, gateway: LaunchGateway, key: string, name: string): Promise<number> {
	const { flags, settings, early } = context;
	const folder = await LaunchFolder.make(settings.dataDir, name);
	try {
		const address = { url: gateway.url, key };
		const models = await offeredModels(address, flags.model, early).catch((error) => {
			throw isUnknownKey(error) && gateway.givenKey === undefined ? otherStore(gateway, settings) : error;
		});
		const webSockets = await offersWebSockets(address, early);
		return await withClient(context, gateway, { ...address, model: flags.model, models, webSockets }, folder);
	} finally {
		folder.remove();
	}
}

const isUnknownKey = (error: unknown): boolean => error instanceof GatewayRefusal && error.status === 401;

const otherStore = ({ url }: LaunchGateway, { dataDir }: Settings) =>
	new SettingError(
		`the gateway at ${url} does not know keys that are made in ${dataDir}: it was started with other settings. Give them here too, or its address and key with --url and --key`,
	);

async function withClient(
	{ wanted, relay, early }: Launch,
	gateway: LaunchGateway,
	target: Target,
	folder: LaunchFolder,
) {
	const { client, program, args } = wanted;
	const connected = (settings: Client) => connectedSettings(settings, target, readPlaces());
	const extras: Extras = client?.extras?.(target, { folder: folder.path, connected }) ?? {};
	folder.write(extras.files ?? {});
	if (early.aborted) throw new GatewayError("cancelled");
	const since = gateway.givenKey === undefined ? 0 : Date.now();
	const before = askCost(target, since);
	if (process.stderr.isTTY) {
		console.error(`${wanted.name} through ${target.url}${gateway.isOwn ? ", a gateway for this launch" : ""}`);
	}
	const code = await startClient({
		id: folder.name,
		program,
		args: [...(extras.args ?? []), ...args],
		variables: {
			...pastProxies(target.url, process.env),
			...(client ?? { variables: usualVariables }).variables(target),
			...extras.variables,
		},
		relay,
	});
	const cost = await settledCost(target, since);
	for (const line of costLines(cost, (await before)?.pools ?? [])) console.error(line);
	return code;
}

/** What a key of the terminal sends, such as Ctrl-C, then reaches the client without our help. */
const hasTerminal = (): boolean => [process.stdin, process.stdout, process.stderr].some(({ isTTY }) => isTTY === true);

function listClients(): void {
	const rows = Object.entries(LAUNCH_CLIENTS).map(([name, { name: title, program, install }]) => {
		const found = lookFor(program);
		return [name, title, found && "file" in found ? (found.args.at(-1) ?? found.file) : `not installed: ${install}`];
	});
	printTable(process.stdout, painter(process.stdout), ["NAME", "CLIENT", "PROGRAM"], rows);
}
