/** What a fault may put into a stream, in the messages of its protocol. Nothing where the protocol has no such thing. */
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
