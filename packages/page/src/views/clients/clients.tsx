import type { ClientsAnswer } from "../../../../gateway/src/page/contract.ts";
import { Command } from "../../parts/copy.tsx";
import { LimitBars } from "../../parts/limit-bars.tsx";
import { Answer, useAnswer } from "../../parts/load.tsx";
import { Panel } from "../../parts/panel.tsx";
import { type Column, CopyTable, Table } from "../../parts/table.tsx";
import { Ago, Name } from "../../parts/texts.tsx";
import { exact, NOTHING, short } from "../../text/numbers.ts";

type Key = ClientsAnswer["keys"][number];

/** Who may use the gateway, and how a client is set up. */
export function Clients() {
	return (
		<Answer loaded={useAnswer<ClientsAnswer>("clients")}>
			{({ keys, commands }) => (
				<>
					<Keys keys={keys} />
					<Panel
						title="Set up a client"
						note={commands.some(({ launch }) => launch !== undefined) ? `${CONNECT} ${LAUNCH}` : CONNECT}
					>
						<ul class="commands">
							{commands.map((command) => (
								<ClientCommands key={command.client} {...command} />
							))}
						</ul>
					</Panel>
				</>
			)}
		</Answer>
	);
}

const CONNECT = "Connect changes the client's settings, and disconnect restores them.";
const LAUNCH = "Launch starts it once and changes nothing.";

function Keys({ keys }: { keys: Key[] }) {
	const hasLimits = keys.some(({ limits }) => limits.length > 0);
	const columns = COLUMNS.filter(({ title }) => title !== "Limits" || hasLimits);
	return (
		<Panel title="Keys" side={keys.length > 0 && <CopyTable caption="Keys" columns={columns} rows={keys} />}>
			<Table
				caption="Keys"
				columns={columns}
				rows={keys}
				keyOf={({ id }) => id}
				empty="There are no keys of clients yet. A command below makes one."
			/>
		</Panel>
	);
}

const ClientCommands = ({ title, connect, launch }: ClientsAnswer["commands"][number]) => (
	<li>
		<h3>
			<Name value={title} />
		</h3>
		<Command command={connect} what={`the command that connects ${title}`} />
		{launch !== undefined && <Command command={launch} what={`the command that launches ${title}`} />}
	</li>
);

const COLUMNS: Column<Key>[] = [
	{
		title: "Name",
		cell: ({ name, kind, revokedAt }) => (
			<>
				<Name value={name} class={revokedAt === undefined ? "" : "revoked"} />
				{kind === "metrics" && <span class="tag">metrics only</span>}
				{revokedAt !== undefined && <span class="tag">revoked</span>}
			</>
		),
		value: ({ name }) => name,
	},
	{
		title: "Last seen",
		cell: ({ lastUsedAt }) => (lastUsedAt === undefined ? "never" : <Ago at={lastUsedAt} />),
		value: ({ lastUsedAt }) => (lastUsedAt === undefined ? "" : new Date(lastUsedAt).toISOString()),
	},
	{
		title: "Made",
		cell: ({ createdAt }) => <Ago at={createdAt} />,
		value: (key) => new Date(key.createdAt).toISOString(),
	},
	{
		title: "At once",
		cell: ({ concurrentTurns }) => (concurrentTurns === undefined ? NOTHING : exact(concurrentTurns)),
		value: ({ concurrentTurns }) => concurrentTurns ?? "",
		isNumber: true,
	},
	{
		title: "Limits",
		cell: ({ limits }) => (limits.length === 0 ? NOTHING : <LimitBars limits={limits} />),
		value: ({ limits }) => limits.map(({ name }) => name).join(", "),
	},
	{ title: "Turns today", cell: ({ today }) => exact(today.turns), value: ({ today }) => today.turns, isNumber: true },
	{
		title: "Tokens today",
		cell: ({ today }) => short(today.inputTokens + today.outputTokens),
		value: ({ today }) => today.inputTokens + today.outputTokens,
		isNumber: true,
	},
	{
		title: "Id",
		cell: ({ id }) => <Name value={id} class="mono" />,
		value: ({ id }) => id,
	},
];
