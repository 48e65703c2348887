import { connect } from "node:http2";
import { BackwardMessage, Envelopes, microseconds } from "../wire.mjs";
import { quantile } from "./figures.mjs";

/** Directly to the upstream with node:http2, one request after another: time to first token without a gateway. */
export async function direct({ port, seconds, warmup }) {
	const session = connect(`http://127.0.0.1:${port}`);
	const request = new BackwardMessage(256).string(1, "Question").wrap(1).wrap(1).wrap(2).wrap(1).envelope();
	const first = [];
	const started = microseconds();
	while (microseconds() - started < (seconds + warmup) * 1e6) {
		const asked = microseconds();
		let at = 0;
		const stream = session.request({ ":method": "POST", ":path": "/agent.v1.AgentService/Run" });
		const envelopes = new Envelopes(() => {
			at ||= microseconds() - asked;
		});
		stream.on("data", (chunk) => envelopes.push(chunk));
		stream.end(request);
		await new Promise((resolve) => stream.on("end", resolve));
		if (asked - started > warmup * 1e6) first.push(at);
	}
	session.destroy();
	return { first: quantile(first, 0.5), firstP99: quantile(first, 0.99), errors: 0, error: "" };
}
