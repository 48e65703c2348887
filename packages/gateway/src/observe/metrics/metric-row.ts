/** A label with a closed set of values, or one whose values are names that appear while the gateway runs. */
export type LabelRow = readonly string[] | { atMost: number };

/** A metric as the table describes it. */
export interface MetricRow {
	type: "counter" | "gauge" | "histogram";
	help: string;
	/** The name ends in it, before `_total`. */
	unit?: "seconds" | "bytes" | "ratio";
	labels: Readonly<Record<string, LabelRow>>;
	/** Upper bounds of a histogram, ascending. */
	buckets?: readonly number[];
	/** Its values are read from the parts of the gateway when somebody asks, and not counted before. */
	isRead?: true;
	/** Only with the setting `metricsKeys`. */
	isByKey?: true;
}
