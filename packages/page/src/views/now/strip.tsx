import type { ComponentChildren } from "preact";
import type { Pool, Strip } from "../../../../gateway/src/page/contract.ts";
import { Gauge } from "../../parts/gauge.tsx";
import { Ago, Name, Sentence } from "../../parts/texts.tsx";
import { dollars, NOTHING, percent } from "../../text/numbers.ts";
import { POOLS } from "../../text/words.ts";

const STORES: Record<Strip["store"], string> = { memory: "in memory", sqlite: "SQLite", redis: "Redis" };

/** Is it working? The state of the gateway in one row. */
export function StatusStrip({ strip }: { strip: Strip }) {
	return (
		<section class="strip" aria-label="State of the gateway">
			<dl>
				<Cell term="Account" class="account">
					<span class={strip.signedIn ? "good" : "bad"}>{strip.signedIn ? "signed in" : "not signed in"}</span>
					<span class="detail">
						{strip.email !== undefined && <Name value={strip.email} />}
						{strip.plan !== undefined && (
							<span class="tag">
								<Name value={strip.plan} />
							</span>
						)}
						{strip.isDemo && <span class="tag">demo</span>}
					</span>
				</Cell>
				{strip.pools.map((pool) => (
					<PoolCell key={pool.name} pool={pool} />
				))}
				<Cell term="Channel">{strip.channel ?? NOTHING}</Cell>
				<Cell term="Store">{STORES[strip.store]}</Cell>
				<Cell term="Version">{strip.version}</Cell>
			</dl>
			<Problems problems={strip.problems} />
		</section>
	);
}

function Cell({ term, children, class: kind }: { term: string; children: ComponentChildren; class?: string }) {
	return (
		<div class={kind}>
			<dt>{term}</dt>
			<dd>{children}</dd>
		</div>
	);
}

function PoolCell({ pool }: { pool: Pool }) {
	return (
		<Cell term={POOLS[pool.name]} class="pool">
			<Gauge percent={pool.usedPercent} label={`${POOLS[pool.name]} used`} />
			<span class="detail">
				{pool.usedPercent === undefined ? "not known" : `${percent(pool.usedPercent)} used`}
				{pool.usedCents !== undefined && pool.limitCents !== undefined && (
					<span> · {`${dollars(pool.usedCents)} of ${dollars(pool.limitCents)}`}</span>
				)}
				{pool.resetsAt !== undefined && (
					<span>
						{" "}
						· resets <Ago at={pool.resetsAt} />
					</span>
				)}
			</span>
		</Cell>
	);
}

function Problems({ problems }: { problems: string[] }) {
	if (problems.length === 0) return null;
	return (
		<ul class="problems">
			{problems.map((problem) => (
				<li key={problem} class="problem warning">
					<Sentence value={problem} />
				</li>
			))}
		</ul>
	);
}
