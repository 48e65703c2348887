import { AnswerFile } from "../../../calibrate/answer-file.ts";
import { STORED_ACCOUNT } from "../../../credentials/open-account.ts";
import { runCredentialCommand } from "../../credential-command.ts";

/** `cursorwire logout`. A running gateway notices within seconds. */
export function logout(): Promise<void> {
	return runCredentialCommand({}, async ({ keeper, note, settings }) => {
		const wasStored = await keeper.clear();
		new AnswerFile(settings.dataDir, settings.upstream).forget(STORED_ACCOUNT);
		console.log(wasStored ? "Signed out: nothing of the login is left on this machine." : "You were not signed in.");
		const why = note();
		if (why !== undefined) console.error(`Only the file was checked. ${why}`);
		if (settings.apiKey !== "") console.error("CURSOR_API_KEY is still set and will be used.");
	});
}
