/** The wire: one line that carries a pulse. */
export const Mark = () => (
	<svg class="mark" viewBox="0 0 24 24" aria-hidden="true">
		<path d="M1 12h6l2.5-7 5 14 2.5-7h6" />
	</svg>
);
