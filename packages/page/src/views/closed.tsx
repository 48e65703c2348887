import { type SessionState, sessionState } from "../gateway/session.ts";
import { Command } from "../parts/copy.tsx";
import { Mark } from "../parts/mark.tsx";

const REASONS: Record<SessionState, string> = {
	none: "This tab has no session yet.",
	opening: "Opening…",
	open: "",
	refused: "This link was used before, or it is older than a minute.",
	over: "The session is over: it ends after 12 hours, and when the gateway starts again.",
	"signed-out": "You have signed out.",
	unreachable: "The gateway cannot be reached. Start it first.",
};

/** What a tab without a session shows: nothing but how to get one. */
export function Closed() {
	const state = sessionState.value;
	return (
		<main class="closed">
			<Mark />
			<h1>cursorwire</h1>
			<p aria-live="polite">{REASONS[state]}</p>
			{state !== "opening" && (
				<>
					<p>This command opens the page, signed in:</p>
					<Command command="cursorwire open" what="the command" />
				</>
			)}
		</main>
	);
}
