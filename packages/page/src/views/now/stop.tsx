import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
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
			await send(`turns/${encodeURIComponent(lane.id)}/stop`, { method: "POST" });
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
	useEffect(() => button.current?.focus(), []);
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
