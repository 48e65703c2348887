declare module "parse-prometheus-text-format" {
	interface Sample {
		labels?: Record<string, string>;
		value: string;
	}
	interface Family {
		name: string;
		metrics: Sample[];
	}
	export default function parse(text: string): Family[];
}
