import type { HealthAnswer } from "../../../../gateway/src/page/contract.ts";
import { DownloadButton } from "../../parts/download.tsx";
import { Answer, useAnswer } from "../../parts/load.tsx";
import { Panel } from "../../parts/panel.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { Name, Sentence } from "../../parts/texts.tsx";
import { exact, NOTHING } from "../../text/numbers.ts";
import { dateOf } from "../../text/times.ts";

type Finding = HealthAnswer["findings"][number];
type Drift = HealthAnswer["drift"][number];
type Host = HealthAnswer["hosts"][number];

/** What `cursorwire doctor` finds, and what Cursor sends that this version does not know. */
export function Health() {
	const loaded = useAnswer<HealthAnswer>("health");
	return (
		<Answer loaded={loaded}>
			{({ findings, drift, hosts }) => (
				<>
					<Panel title="Findings" note={summaryOf(findings)} side={REPORT}>
						<ul class="findings">
							{[...findings].sort(worstFirst).map((finding) => (
								<FindingRow key={finding.name} {...finding} />
							))}
						</ul>
					</Panel>
					<div class="pair">
						<Panel title="Drift" note="What Cursor sends that this version does not know. Turns work without it.">
							<Table
								caption="Drift"
								columns={DRIFT}
								rows={drift}
								keyOf={({ what, name }) => what + name}
								empty="Nothing unknown was seen."
							/>
						</Panel>
						<Panel title="Hosts" note="Cursor's servers. After several failures one is left alone for a while.">
							<Table
								caption="Hosts"
								columns={HOSTS}
								rows={hosts}
								keyOf={({ host }) => host}
								empty="None was asked yet."
							/>
						</Panel>
					</div>
				</>
			)}
		</Answer>
	);
}

const ORDER: Finding["status"][] = ["error", "warning", "ok"];
const worstFirst = (one: Finding, other: Finding) => ORDER.indexOf(one.status) - ORDER.indexOf(other.status);

function summaryOf(findings: Finding[]): string {
	const count = (status: Finding["status"]) => findings.filter((finding) => finding.status === status).length;
	if (count("ok") === findings.length) return "Everything is in order.";
	return `${exact(count("error"))} wrong, ${exact(count("warning"))} to know about, ${exact(count("ok"))} in order.`;
}

const FindingRow = ({ name, status, message, nextStep }: Finding) => (
	<li class={status}>
		<span class="status">
			<i aria-hidden="true" />
			{status}
		</span>
		<Name value={name} class="key" />
		<span>
			<Sentence value={message} />
			{nextStep !== undefined && (
				<p>
					<Sentence value={nextStep} class="soft" />
				</p>
			)}
		</span>
	</li>
);

const REPORT = <DownloadButton path="report" label="Download the report" fileName="cursorwire-report.txt" />;

const DRIFT: Column<Drift>[] = [
	{ title: "Kind", cell: ({ what }) => <Name value={what} />, value: ({ what }) => what },
	{ title: "Name", cell: ({ name }) => <Name value={name} class="mono" />, value: ({ name }) => name },
	{ title: "Count", cell: ({ count }) => exact(count), value: ({ count }) => count, isNumber: true },
	{
		title: "Since",
		cell: ({ since, version }) => (
			<>
				{since === undefined ? NOTHING : <time dateTime={new Date(since).toISOString()}>{dateOf(since)}</time>}
				{version !== undefined && <Name value={` (${version})`} class="soft" />}
			</>
		),
		value: ({ since }) => (since === undefined ? "" : new Date(since).toISOString()),
	},
];

/** In the words of the breaker, for those who do not know them. */
const BREAKER: Record<string, string> = { closed: "in use", "half-open": "being tried again", open: "left alone" };

const HOSTS: Column<Host>[] = [
	{ title: "Host", cell: ({ host }) => <Name value={host} class="mono" />, value: ({ host }) => host },
	{ title: "State", cell: ({ state }) => <Name value={BREAKER[state] ?? state} />, value: ({ state }) => state },
];
