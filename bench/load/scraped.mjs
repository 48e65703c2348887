// Short turns while the metrics are read once a second.
import { request } from "node:http";
import { withAndWithout } from "./with-and-without.mjs";

const EVERY_MS = 1_000;

export function scraped({ metricsKey, ownerKey: _unused, ...job }) {
	const begin = () => {
		const statuses = new Set();
		const scrape = () => readMetrics(job.port, metricsKey, (status) => statuses.add(status));
		scrape();
		const timer = setInterval(scrape, EVERY_MS);
		return () => {
			clearInterval(timer);
			const [status] = [...statuses].filter((one) => one !== 200);
			return status === undefined ? "" : `the metrics were answered with ${status}`;
		};
	};
	return withAndWithout(job, metricsKey === undefined ? undefined : begin);
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
