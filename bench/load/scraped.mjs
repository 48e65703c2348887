// Short turns while the metrics are read once a second, against the same without, in turns.
import { request } from "node:http";
import { closedLoop } from "./closed-loop.mjs";

const EVERY_MS = 1_000;
/** Both orders, so that neither is always the warmer one. */
const ORDER = [false, true, true, false];

export async function scraped({ metricsKey, ...job }) {
	const rates = { true: 0, false: 0 };
	const results = [];
	const statuses = new Set();
	const scrape = () => readMetrics(job.port, metricsKey, (status) => statuses.add(status));
	for (const isScraped of ORDER) {
		let timer;
		const result = await closedLoop({ ...job, seconds: job.seconds / 2 }, () => {
			// Lean has no metrics.
			if (!isScraped || metricsKey === undefined) return;
			scrape();
			timer = setInterval(scrape, EVERY_MS);
		});
		clearInterval(timer);
		rates[isScraped] += result.replies / result.seconds;
		results.push(result);
	}
	const wrong = results.find(({ errors }) => errors > 0);
	const [status] = [...statuses].filter((one) => one !== 200);
	const refused = status === undefined ? {} : { errors: 1, error: `the metrics were answered with ${status}` };
	return { ...(wrong ?? results[0]), scraped: rates.true / rates.false, ...refused };
}

function readMetrics(port, key, answered) {
	const headers = { authorization: `Bearer ${key}` };
	request({ port, host: "127.0.0.1", path: "/metrics", headers }, (response) => {
		answered(response.statusCode);
		response.resume();
	})
		.on("error", () => answered("an error"))
		.end();
}
