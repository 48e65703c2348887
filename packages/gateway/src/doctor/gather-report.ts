import { arch, homedir, hostname, release, type, userInfo } from "node:os";
import { readPlaces } from "../config/places.ts";
import { type ReportFacts, writeReport } from "./report.ts";

/** How many rows of the ledger are looked at for errors. */
export const LAST_REQUESTS = 200;
const MOST_ERRORS = 20;

/** A row of the ledger, as far as a report needs it. It holds no text of any request. */
interface EndedTurn {
	at: number;
	dialect: string;
	model: string;
	path: string;
	status: number;
	errorKind?: string;
}

export interface GatheredFacts extends Pick<ReportFacts, "version" | "loaded" | "findings" | "conclusion"> {
	/** Newest first. */
	lastRequests: readonly EndedTurn[];
}

/** The report, with what is known of this machine. */
export function gatherReport({ lastRequests, ...facts }: GatheredFacts): string {
	return writeReport({
		...facts,
		node: process.versions.node,
		system: `${type()} ${release()} ${arch()}`,
		at: new Date().toISOString(),
		lastErrors: lastErrors(lastRequests),
		home: readPlaces().home || homedir(),
		user: userName(),
		host: hostname(),
	});
}

function lastErrors(rows: readonly EndedTurn[]): string[] {
	return rows
		.filter(({ errorKind }) => errorKind !== undefined)
		.slice(0, MOST_ERRORS)
		.map(({ at, dialect, model, path, status, errorKind }) =>
			[new Date(at).toISOString(), dialect, model, path, status, errorKind].join(" "),
		);
}

/** Empty where the system knows no name for this user. */
function userName(): string {
	try {
		return userInfo().username;
	} catch {
		return "";
	}
}
