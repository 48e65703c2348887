import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";

interface Props {
	title: string;
	children: ComponentChildren;
	/** Beside the title, at the right. */
	side?: ComponentChildren;
	/** Below the title, in a sentence. */
	note?: ComponentChildren;
	class?: string;
}

/** A part of a view with a heading. */
export function Panel({ title, children, side, note, class: kind = "" }: Props) {
	const id = useId();
	return (
		<section class={`panel ${kind}`} aria-labelledby={id}>
			<div class="head">
				<h2 id={id}>{title}</h2>
				{side !== undefined && <div class="side">{side}</div>}
			</div>
			{note !== undefined && <p class="note">{note}</p>}
			{children}
		</section>
	);
}
