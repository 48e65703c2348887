import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import { Name } from "../../parts/texts.tsx";
import { route } from "../../route.ts";
import { exact } from "../../text/numbers.ts";
import { visible } from "../../text/visible.ts";
import { turnsText } from "../../text/words.ts";
import { choices, count, type Filter, filter, NO_FILTER, reload, total } from "./turn-list.ts";

const RUNGS = ["new", "parked", "checkpoint", "rebuild", "none"].map((rung): Choice => [rung, rung]);
const SLOW: Choice[] = [
	["5000", "over 5 s"],
	["30000", "over 30 s"],
	["120000", "over 2 min"],
];

/** The beginning of an id tells it from the others. */
const ID_SHOWN = 8;

type Choice = [value: string, text: string];
const named = (names: string[]): Choice[] => names.map((name) => [name, visible(name)]);

export const focusFilters = (): void => document.querySelector<HTMLElement>(".filters select")?.focus();

export const Filters = ({ news }: { news: ComponentChildren }) => (
	<form class="filters" aria-label="Filters" onSubmit={(event) => event.preventDefault()}>
		<Select name="client" label="Client" choices={named(choices.value.clients)} />
		<Select name="model" label="Model" choices={named(choices.value.models)} />
		<Select name="path" label="Rung" choices={RUNGS} />
		<Select name="error" label="Result" choices={[["1", "errors"]]} />
		<Select name="slow" label="Time" choices={SLOW} />
		{filter.value.conversation !== "" && (
			<span class="tag">
				conversation <Name value={filter.value.conversation.slice(0, ID_SHOWN)} />
			</span>
		)}
		{filter.value !== NO_FILTER && (
			<button type="button" class="quiet" onClick={() => list(NO_FILTER)}>
				Clear
			</button>
		)}
		{news}
		<Found />
	</form>
);

function Select({ name, label, choices: options }: { name: keyof Filter; label: string; choices: Choice[] }) {
	const id = useId();
	const value = filter.value[name];
	return (
		<span class="field">
			<label for={id}>{label}</label>
			<select id={id} value={value} onChange={(event) => choose(name, event.currentTarget.value)}>
				<option value="">all</option>
				{value !== "" && !options.some(([option]) => option === value) && (
					<option value={value}>{visible(value)}</option>
				)}
				{options.map(([option, text]) => (
					<option key={option} value={option}>
						{text}
					</option>
				))}
			</select>
		</span>
	);
}

function choose(name: keyof Filter, value: string): void {
	const next = { ...filter.peek(), conversation: "", [name]: value };
	list(Object.values(next).every((one) => one === "") ? NO_FILTER : next);
}

/** From here on the address does not say what is listed. */
function list(next: Filter): void {
	if (route.peek().query !== undefined) location.replace("#/turns");
	reload(next);
}

function Found() {
	const all = total.value;
	if (all === undefined) return <output class="found">…</output>;
	const part = count.value < all ? `, ${exact(count.value)} loaded` : "";
	return (
		<output class="found">
			{turnsText(all)}
			<span class="soft">{part}</span>
		</output>
	);
}
