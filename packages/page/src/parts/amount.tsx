import { NOTHING } from "../text/numbers.ts";

/** A number with a bar, for the eye. The part is of the largest in the table. */
export const Amount = ({ part, text, title }: { part?: number; text?: string | 0; title?: string }) =>
	part === undefined ? (
		<span>{NOTHING}</span>
	) : (
		<span class="amount" title={title}>
			<svg class="bar-in-table" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
				<rect width="100" height="6" class="ground" />
				<rect width={Math.max(1, part * 100)} height="6" class="part" />
			</svg>
			<span>{text}</span>
		</span>
	);
