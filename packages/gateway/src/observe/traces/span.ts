/** The numbers that OTLP gives to kinds of spans. */
export const SPAN_KINDS = { server: 2, client: 3 } as const;

export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** Which span of which trace. */
export interface SpanId {
	/** 32 hexadecimal digits. */
	traceId: string;
	/** 16 hexadecimal digits. */
	spanId: string;
}

export interface SpanEvent {
	name: string;
	/** Milliseconds since 1970. */
	at: number;
	attributes?: Attributes;
}

/** Something that took a while. It never holds a text of a prompt or a reply. */
export interface Span extends SpanId {
	parentSpanId?: string;
	name: string;
	kind: keyof typeof SPAN_KINDS;
	/** Milliseconds since 1970. */
	startedAt: number;
	endedAt: number;
	attributes: Attributes;
	events?: readonly SpanEvent[];
	links?: readonly SpanId[];
	isError?: boolean;
}
