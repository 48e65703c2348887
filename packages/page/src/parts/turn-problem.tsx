import type { TurnRow } from "../../../gateway/src/page/contract.ts";
import { pageAddress } from "../text/link.ts";
import { errorWords } from "../text/words.ts";
import { Name, Sentence } from "./texts.tsx";

/** Why a turn failed, what to do about it, and where that is explained. */
export function TurnProblem({ turn }: { turn: TurnRow }) {
	const page = pageAddress(turn.errorPage);
	return (
		<p class="cause">
			<Name value={turn.errorKind === undefined ? `Status ${turn.status}` : errorWords(turn.errorKind)} class="bad" />
			{turn.nextStep !== undefined && <Sentence value={turn.nextStep} />}
			{page !== undefined && (
				<a href={page} target="_blank" rel="noreferrer noopener">
					What this means
				</a>
			)}
		</p>
	);
}
