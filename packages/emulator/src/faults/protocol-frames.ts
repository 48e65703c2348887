/** What a fault may insert into a stream, in messages of its protocol; empty if the protocol has no such message. */
export interface ProtocolFrames {
	splitCodePoint(): Uint8Array[];
	badUtf8(): Uint8Array[];
	lateText(): Uint8Array[];
	flood(count: number): Uint8Array[];
	unknownUpdate(): Uint8Array[];
	unknownExec(): Uint8Array[];
	unknownQuery(): Uint8Array[];
	unknownMessage(): Uint8Array[];
	unknownEnum(): Uint8Array[];
	newFields(): Uint8Array[];
}
