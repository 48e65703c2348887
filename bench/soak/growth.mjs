// Whether a process has grown, judged by measurements at rest.

/** A soak of at least this many minutes is judged by its slope, a shorter one by its growth. */
const MINUTES_FOR_A_SLOPE = 5;
/** Upstream sessions and closing connections make these numbers vary. */
const SPARE_DESCRIPTORS = 6;
const SPARE_HANDLES = 6;
const MEGABYTES_A_MINUTE = 1;
const SHORT_RUN_MEGABYTES = { rss: 48, heap: 8 };

/** Least squares: the slope and its standard error. */
export function slopeOf(points) {
	const mean = (pick) => points.reduce((sum, point) => sum + pick(point), 0) / points.length;
	const [meanX, meanY] = [mean(({ x }) => x), mean(({ y }) => y)];
	const spread = points.reduce((sum, { x }) => sum + (x - meanX) ** 2, 0);
	if (spread === 0) return { slope: 0, error: 0 };
	const slope = points.reduce((sum, { x, y }) => sum + (x - meanX) * (y - meanY), 0) / spread;
	const rest = points.reduce((sum, { x, y }) => sum + (y - meanY - slope * (x - meanX)) ** 2, 0);
	return { slope, error: Math.sqrt(rest / Math.max(1, points.length - 2) / spread) };
}

/**
 * What has grown, as sentences; none if nothing has. A measurement is `{ minutes, rssMegabytes, heapMegabytes,
 * descriptors, handles, upstreamStreams }`; the first is taken after the warm-up.
 */
export function growthIn(measurements) {
	const [first, last] = [measurements[0], measurements.at(-1)];
	const found = [];
	for (const { minutes, upstreamStreams } of measurements) {
		if (upstreamStreams > 0) found.push(`${upstreamStreams} upstream streams were open at rest (${at(minutes)})`);
	}
	const counted = [
		["descriptors", SPARE_DESCRIPTORS],
		["handles", SPARE_HANDLES],
	];
	for (const [what, spare] of counted) {
		if (last[what] > first[what] + spare) found.push(`${what} grew from ${first[what]} to ${last[what]}`);
	}
	return [...found, ...memoryGrowth(measurements)];
}

function memoryGrowth(measurements) {
	const [first, last] = [measurements[0], measurements.at(-1)];
	const found = [];
	const isLong = last.minutes - first.minutes >= MINUTES_FOR_A_SLOPE;
	for (const [name, key] of [
		["RSS", "rss"],
		["heap", "heap"],
	]) {
		const field = `${key}Megabytes`;
		const { slope, error } = slopeOf(measurements.map((measured) => ({ x: measured.minutes, y: measured[field] })));
		const gained = last[field] - first[field];
		// More than is allowed, and more than the scatter of the measurements explains.
		if (isLong && slope > MEGABYTES_A_MINUTE && slope > 2 * error)
			found.push(`${name} grew by ${slope.toFixed(2)} MB a minute`);
		if (!isLong && gained > SHORT_RUN_MEGABYTES[key]) found.push(`${name} grew by ${gained.toFixed(1)} MB`);
	}
	return found;
}

const at = (minutes) => `after ${(minutes * 60).toFixed(0)} s`;
