import { useSignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { Lane } from "../../../../gateway/src/page/contract.ts";
import { type AskError, send } from "../../gateway/ask.ts";
import { visible } from "../../text/visible.ts";

type Step = "idle" | "asking" | "stopping";

/** Stops a turn. It asks once, in its own place. */
export function StopButton({ lane }: { lane: Lane }) {
	const step = useSignal<Step>("idle");
	const problem = useSignal("");
	const stop = async () => {
		step.value = "stopping";
		try {
			// The gateway takes no POST without a JSON body: that is what a form of another site could send.
			const body = { method: "POST", headers: { "content-type": "application/json" }, body: "{}" };
			await send(`turns/${encodeURIComponent(lane.id)}/stop`, body);
		} catch (error) {
			problem.value = (error as AskError).message;
			step.value = "idle";
		}
	};
	const set = (next: Step) => () => {
		step.value = next;
	};
	return (
		<div class="stop">
			{step.value === "idle" && (
				<button type="button" onClick={set("asking")} aria-label={`Stop ${visible(lane.model)}`}>
					Stop
				</button>
			)}
			{step.value === "asking" && <Confirm yes={() => void stop()} no={set("idle")} />}
			{step.value === "stopping" && <span class="soft">stopping…</span>}
			{problem.value !== "" && (
				<span class="bad" role="alert">
					{problem}
				</span>
			)}
		</div>
	);
}

function Confirm({ yes, no }: { yes: () => void; no: () => void }) {
	const button = useRef<HTMLButtonElement>(null);
	// Before anything is painted, so that the next key reaches it.
	useLayoutEffect(() => button.current?.focus(), []);
	return (
		<fieldset
			aria-label="Stop this turn?"
			onKeyDown={(event) => {
				if (event.key === "Escape") no();
			}}
		>
			<button type="button" class="danger" ref={button} onClick={yes}>
				Stop it
			</button>
			<button type="button" onClick={no}>
				Keep
			</button>
		</fieldset>
	);
}
