import type { TurnRow } from "../../../gateway/src/page/contract.ts";
import { errorWords } from "../text/words.ts";
import { Name, Sentence } from "./texts.tsx";

/** Why a turn failed, what that means, and what to do about it. */
export function TurnProblem({ turn }: { turn: TurnRow }) {
	return (
		<p class="cause">
			<Name value={turn.errorKind === undefined ? `Status ${turn.status}` : errorWords(turn.errorKind)} class="bad" />
			{turn.errorMeaning !== undefined && <Sentence value={turn.errorMeaning} class="soft" />}
			{turn.nextStep !== undefined && <Sentence value={turn.nextStep} />}
		</p>
	);
}
