import type { DialectTurn } from "../dialects/dialect.ts";
import type { StartedTurn } from "../sessions/started-turn.ts";

/** What the client is warned of. */
export function warningsOf({ turn }: DialectTurn, started: StartedTurn | undefined): string | undefined {
	const more = started?.warnings ?? [];
	return turn.warnings.length + more.length === 0 ? undefined : turn.warnings.concat(more).join("; ");
}
