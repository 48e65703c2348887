// A collector of OpenTelemetry, as far as it takes what is sent.
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

interface ReceivedSpan {
	traceId: string;
	spanId: string;
	parentSpanId?: string;
	name: string;
	kind: number;
	startTimeUnixNano: string;
	endTimeUnixNano: string;
	attributes: Attribute[];
	events: { name: string; timeUnixNano: string }[];
	links: { traceId: string; spanId: string }[];
	status: { code?: number };
}

interface Attribute {
	key: string;
	value: Record<string, unknown>;
}

interface ReceivedMetric {
	name: string;
	unit: string;
	sum?: { dataPoints: { asDouble: number; attributes: Attribute[] }[]; isMonotonic: boolean };
	histogram?: { dataPoints: { count: string; bucketCounts: string[]; explicitBounds: number[] }[] };
}

interface Body {
	resourceSpans?: {
		resource: { attributes: Attribute[] };
		schemaUrl: string;
		scopeSpans: { spans: ReceivedSpan[] }[];
	}[];
	resourceMetrics?: { scopeMetrics: { metrics: ReceivedMetric[] }[] }[];
}

export interface Collector {
	url: string;
	/** Everything that was sent, as text. */
	texts: string[];
	headers: IncomingHttpHeaders[];
	bodies(): Body[];
	spans(): ReceivedSpan[];
	metrics(): ReceivedMetric[];
}

/** `status`: what it answers with; 0 for nothing at all. */
export async function startCollector(status = 200): Promise<Collector> {
	const texts: string[] = [];
	const headers: IncomingHttpHeaders[] = [];
	const server = createServer((request, response) => {
		let text = "";
		request.setEncoding("utf8").on("data", (part) => {
			text += part;
		});
		request.on("end", () => {
			texts.push(text);
			headers.push({ ...request.headers, path: request.url });
			if (status > 0) response.writeHead(status, { "content-type": "application/json" }).end("{}");
		});
	});
	await once(server.listen(0, "127.0.0.1"), "listening");
	onTestFinished(() => {
		server.closeAllConnections();
		server.close();
	});
	const bodies = () => texts.map((text) => JSON.parse(text) as Body);
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		texts,
		headers,
		bodies,
		spans: () =>
			bodies().flatMap(({ resourceSpans = [] }) =>
				resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
			),
		metrics: () =>
			bodies().flatMap(({ resourceMetrics = [] }) =>
				resourceMetrics.flatMap(({ scopeMetrics }) => scopeMetrics.flatMap(({ metrics }) => metrics)),
			),
	};
}

/** Attributes as an object of plain values. */
export const attributesOf = (attributes: readonly Attribute[]): Record<string, unknown> =>
	Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
