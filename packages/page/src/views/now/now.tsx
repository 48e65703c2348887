import { live } from "../../gateway/live.ts";
import { Finished } from "./finished.tsx";
import { Lanes } from "./lanes.tsx";
import { StatusStrip } from "./strip.tsx";

/** What runs at this moment. */
export function Now() {
	const state = live.value;
	if (state === undefined) return <p class="empty">Connecting to the gateway…</p>;
	return (
		<>
			<StatusStrip strip={state.strip} />
			<Lanes lanes={state.lanes} />
			<Finished rows={state.finished} />
		</>
	);
}
