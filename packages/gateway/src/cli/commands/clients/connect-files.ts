import { readPlaces } from "../../../config/places.ts";
import { SettingError } from "../../../config/settings.ts";
import type { Client, Target } from "../../../connect/client.ts";
import type { ConnectionStore, StoredConnection, StoredFile } from "../../../connect/connection-store.ts";
import { type ConnectPlan, planChoice, planConnect, planDisconnect } from "../../../connect/plan.ts";
import {
	checkWritable,
	readSettingsFile,
	removeSettingsFile,
	settingsPath,
	writeSettingsFile,
} from "../../../connect/settings-file.ts";
import { diffText } from "../../terminal/diff.ts";
import { painter } from "../../terminal/output.ts";

/** A file that `connect` changes. */
export interface FileChange {
	/** Its text now; undefined if there is none. */
	present: string | undefined;
	plan: ConnectPlan;
	/** What an earlier `connect` wrote there. */
	former: StoredFile | undefined;
}

export interface ClientChanges {
	settings: FileChange;
	/** The file of the selection, where that is another one. */
	choice: FileChange | undefined;
}

interface Wish {
	client: Client;
	target: Target;
	/** The file of the client's providers, if it is named. */
	file: string | undefined;
	select: boolean;
	former: StoredConnection | undefined;
}

/** What `connect` will write, file by file. */
export function planFiles({ client, target, file, select, former }: Wish): ClientChanges {
	const places = readPlaces();
	const plan = (
		path: string,
		stored: StoredFile | undefined,
		make: (before?: string, present?: string) => ConnectPlan,
	) => {
		const present = readSettingsFile(path);
		return { present, plan: make(stored ? planDisconnect(stored, present).after : present, present), former: stored };
	};
	const path = file ?? former?.file ?? settingsPath(client, places);
	const settings = plan(path, former, (before, present) => planConnect(client, path, before, target, select, present));
	const { chooser } = client;
	if (!chooser || (!select && !former?.choice)) return { settings, choice: undefined };
	const chosen = former?.choice?.file ?? settingsPath(chooser, places);
	const wanted = select ? client : { ...client, selection: () => [] };
	return {
		settings,
		choice: plan(chosen, former?.choice, (before) => planChoice(wanted, chooser, chosen, before, target)),
	};
}

export const changesOf = ({ settings, choice }: ClientChanges): FileChange[] =>
	choice ? [settings, choice] : [settings];

const pathOf = ({ plan }: FileChange): string => plan.connection.file;

/** What is different from what is there, for people to look at. */
export const showChanges = (changes: ClientChanges, secrets: readonly string[]): string =>
	changesOf(changes)
		.map((change) => diffText(pathOf(change), change.present, change.plan.after, secrets, painter(process.stdout)))
		.join("\n");

/** The files whose text will be another one. */
export const changedFiles = (changes: ClientChanges): string[] =>
	changesOf(changes)
		.filter(({ plan, present }) => plan.after !== present)
		.map(pathOf);

export const checkFiles = (changes: ClientChanges): void => changesOf(changes).map(pathOf).forEach(checkWritable);

/** Throws if somebody else has changed a file since it was read. */
export function checkUnchanged(changes: ClientChanges): void {
	for (const change of changesOf(changes)) {
		if (readSettingsFile(pathOf(change)) === change.present) continue;
		throw new SettingError(`${pathOf(change)} was changed in the meantime; run the command again`);
	}
}

/** Everything of a stored connection but its files. */
type Facts = Omit<StoredConnection, keyof StoredFile | "choice">;

/** The stored connection is written first: without it nothing could be undone. */
export function writeFiles(
	store: ConnectionStore,
	changes: ClientChanges,
	facts: Facts,
	former: StoredConnection | undefined,
): void {
	const record: StoredConnection = {
		...fileRecord(changes.settings),
		...facts,
		...(changes.choice && { choice: fileRecord(changes.choice) }),
	};
	store.save(record);
	const undo: (() => void)[] = [];
	try {
		for (const [part, change] of [[record, changes.settings] as const, [record.choice, changes.choice] as const]) {
			if (!change || !part) continue;
			const path = pathOf(change);
			const madeFolder = writeSettingsFile(path, change.plan.after);
			if (madeFolder) part.madeFolder = madeFolder;
			undo.push(() => putBack(path, change.present, madeFolder));
		}
		store.save(record);
	} catch (error) {
		// One file without the other would be half a connection.
		for (const each of undo) each();
		if (former) store.save(former);
		else store.remove(facts.client);
		throw error;
	}
}

function putBack(path: string, present: string | undefined, madeFolder: string | undefined): void {
	if (present === undefined) removeSettingsFile(path, madeFolder);
	else writeSettingsFile(path, present);
}

const fileRecord = ({ plan, former }: FileChange): StoredFile => ({
	...plan.connection,
	...(former?.madeFolder && { madeFolder: former.madeFolder }),
});
