// Figures and requests that several loads share.

/** The value below which `share` of the numbers lie; NaN if there are none. */
export function quantile(numbers, share) {
	const sorted = Float64Array.from(numbers).sort();
	return sorted.length === 0 ? Number.NaN : sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}

export const userMessage = (content) => ({ role: "user", content });

export const TOOLS = [
	{
		type: "function",
		function: {
			name: "bench_tool",
			description: "Reads a file",
			parameters: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
		},
	},
];

/** Counts replies that are not as they should be, and keeps what the first of them lacked. */
export class Faults {
	errors = 0;
	error = "";

	add(error) {
		if (error === "") return;
		this.errors++;
		this.error ||= error;
	}

	get result() {
		return { errors: this.errors, error: this.error };
	}
}
