// Reads metrics as a Prometheus would.
import parse from "parse-prometheus-text-format";
import type { TestGateway } from "../kit/gateway.ts";

export interface Scrape {
	text: string;
	/** Lines with a value. */
	series: number;
	names: string[];
	/** A value, or the count of a histogram; undefined if there is no such series. */
	count(name: string, labels?: Record<string, string>): number | undefined;
}

export async function scrape({ url, key }: Pick<TestGateway, "url" | "key">): Promise<Scrape> {
	const response = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${key}` } });
	const text = await response.text();
	if (response.status !== 200) throw new Error(`${response.status}: ${text}`);
	// The library drops the labels of what is declared as a histogram, so samples are read without their declarations.
	const samplesOf = parse(text.replace(/^#.*\n/gm, ""));
	return {
		text,
		series: text.split("\n").filter((line) => line !== "" && !line.startsWith("#")).length,
		names: parse(text).map(({ name }) => name),
		count(name, labels = {}) {
			const meant = samplesOf.filter((family) => [name, `${name}_count`].includes(family.name));
			const samples = meant.flatMap(({ metrics }) => metrics);
			const found = samples.find((sample) =>
				Object.entries(labels).every(([label, value]) => sample.labels?.[label] === value),
			);
			return found && Number(found.value);
		},
	};
}
