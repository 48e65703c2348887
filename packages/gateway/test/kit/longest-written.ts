/** What `work` gave, and how long the longest text was that `JSON.stringify` made for it. */
export async function longestWritten<T>(work: () => Promise<T>): Promise<{ given: T; longest: number }> {
	const { stringify } = JSON;
	let longest = 0;
	JSON.stringify = (value: unknown) => {
		const text = stringify(value);
		longest = Math.max(longest, text?.length ?? 0);
		return text;
	};
	try {
		return { given: await work(), longest };
	} finally {
		JSON.stringify = stringify;
	}
}
