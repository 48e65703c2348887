import { now } from "../now.ts";
import { NOTHING } from "../text/numbers.ts";
import { ago, fullTime } from "../text/times.ts";
import { visible } from "../text/visible.ts";

/** A name that came from a client, a model or a tool. */
export function Name({ value, class: kind = "" }: { value: string | undefined; class?: string }) {
	if (value === undefined || value === "") return <span class={`name ${kind}`}>{NOTHING}</span>;
	const shown = visible(value);
	return (
		<bdi class={`name ${kind}`} title={shown}>
			{shown}
		</bdi>
	);
}

/** A sentence of the gateway, with the commands that stand in backticks set as such. */
export function Sentence({ value, class: kind = "" }: { value: string; class?: string }) {
	// Every other piece stood between two backticks.
	const pieces = visible(value).split("`");
	if (pieces.length % 2 === 0) return <bdi class={`sentence ${kind}`}>{visible(value)}</bdi>;
	return (
		<bdi class={`sentence ${kind}`}>
			{pieces.map((piece, index) => (index % 2 === 1 ? <code key={piece}>{piece}</code> : piece))}
		</bdi>
	);
}

/** How long ago, with the exact time on hover. */
export function Ago({ at }: { at: number }) {
	return (
		<time dateTime={new Date(at).toISOString()} title={fullTime(at)}>
			{ago(at, now.value)}
		</time>
	);
}

/** The model that was asked for, and the one that answered if it is another. */
export function ModelName({ model, answered }: { model: string; answered?: string }) {
	return (
		<span class="model">
			<Name value={model} />
			{answered !== undefined && answered !== model && (
				<>
					<span class="arrow" aria-hidden="true">
						→
					</span>
					<span class="unseen"> answered by </span>
					<Name value={answered} class="soft" />
				</>
			)}
		</span>
	);
}
