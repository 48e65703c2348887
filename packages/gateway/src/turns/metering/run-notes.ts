/** What gateways leave for each other about a run that waits, for whoever counts its next reply. */
export interface RunNotes {
	note(runId: string, text: string): void;
	/** Undefined if there is none, or if it cannot be had. */
	noteOf(runId: string): Promise<string | undefined>;
}
