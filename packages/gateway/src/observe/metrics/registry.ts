import { Counter } from "./counter.ts";
import { Histogram, type HistogramValue } from "./histogram.ts";
import { Label } from "./label.ts";
import type { MetricRow } from "./metric-row.ts";
import { METRICS, type MetricName } from "./metric-table.ts";
import { SeriesRoom } from "./series-room.ts";

/** Of all metrics together. A series is a line of the text that Prometheus reads. */
export const MOST_SERIES = 1_500;

type NamesOf<Type> = { [Name in MetricName]: (typeof METRICS)[Name] extends Type ? Name : never }[MetricName];
type ReadName = NamesOf<{ isRead: true }>;
type KeyedName = NamesOf<{ isByKey: true }>;
type CounterName = Exclude<NamesOf<{ type: "counter" }>, ReadName>;
type HistogramName = NamesOf<{ type: "histogram" }>;

/** What was read from the parts of the gateway just now. What is not known is left out. */
export type Readings = Partial<Record<ReadName, readonly Reading[]>>;

export interface Reading {
	/** Label values, in the order of the table. */
	of?: readonly string[];
	value: number;
}

/** A metric with everything that is known of it. */
export interface Family {
	name: MetricName;
	row: MetricRow;
	points: readonly Point[];
}

export interface Point {
	labels: readonly string[];
	value: number | HistogramValue;
}

export interface RegistryOptions {
	/** Whether a model may be counted by this name. */
	isModel(name: string): boolean;
	/** Whether the names of keys are labels. */
	byKey: boolean;
}

const ROWS: readonly (readonly [MetricName, MetricRow])[] = Object.entries(METRICS) as [MetricName, MetricRow][];

/** All metrics of the table, with their numbers. */
export class MetricRegistry {
	readonly #counters = new Map<MetricName, Counter>();
	readonly #histograms = new Map<MetricName, Histogram>();
	readonly #room = new SeriesRoom(MOST_SERIES);

	constructor({ isModel, byKey }: RegistryOptions) {
		const rows = ROWS.filter(([, { isByKey }]) => byKey || !isByKey);
		for (const [, row] of rows) if (row.isRead) this.#room.take(mostReadings(row));
		for (const [name, { type, labels, buckets = [], isRead }] of rows) {
			if (isRead) continue;
			const made = Object.entries(labels).map(
				([label, values]) => new Label(label, values, label === "model" ? isModel : undefined),
			);
			if (type === "histogram") this.#histograms.set(name, new Histogram(made, buckets, this.#room));
			else this.#counters.set(name, new Counter(made, this.#room));
		}
	}

	counter(name: Exclude<CounterName, KeyedName>): Counter {
		return this.#counters.get(name)!;
	}

	/** Undefined if the names of keys are no labels. */
	counterByKey(name: KeyedName): Counter | undefined {
		return this.#counters.get(name);
	}

	histogram(name: HistogramName): Histogram {
		return this.#histograms.get(name)!;
	}

	/** Everything, in the order of the table; metrics without any value are left out. */
	families(readings: Readings): Family[] {
		return ROWS.map(([name, row]) => ({ name, row, points: this.#pointsOf(name, readings) })).filter(
			({ points }) => points.length > 0,
		);
	}

	#pointsOf(name: MetricName, readings: Readings): Point[] {
		const read = (readings as Partial<Record<MetricName, readonly Reading[]>>)[name];
		if (read) return read.map(({ of = [], value }) => ({ labels: of, value }));
		const instrument = this.#counters.get(name) ?? this.#histograms.get(name);
		if (!instrument) return [];
		return Array.from(instrument.cells.used(), ({ index, values }) => ({
			labels: values,
			value: instrument.valueAt(index),
		}));
	}
}

/** How many series a metric that is read can have. */
const mostReadings = ({ labels }: MetricRow): number =>
	Object.values(labels).reduce((product, row) => product * ("atMost" in row ? row.atMost : row.length), 1);
