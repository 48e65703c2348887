import { useSignal } from "@preact/signals";

/** Puts a text on the clipboard and says so. */
export function CopyButton({ text, label, what }: { text: () => string; label: string; what?: string }) {
	const said = useSignal("");
	const copy = async () => {
		const isDone = await navigator.clipboard.writeText(text()).then(
			() => true,
			() => false,
		);
		said.value = isDone ? "Copied" : "Not allowed";
	};
	return (
		<button
			type="button"
			class="quiet copy"
			onClick={() => void copy()}
			onBlur={() => {
				said.value = "";
			}}
			aria-label={said.value === "" && what !== undefined ? `${label} ${what}` : undefined}
		>
			<span aria-live="polite">{said.value || label}</span>
		</button>
	);
}

/** A command with a button that copies it. */
export function Command({ command, what }: { command: string; what: string }) {
	return (
		<span class="command">
			<code>{command}</code>
			<CopyButton text={() => command} label="Copy" what={what} />
		</span>
	);
}
