// Protobuf fields written by number, for messages that are not in the proto files.

function encodeVarint(value: number): Buffer {
	const bytes: number[] = [];
	let rest = value;
	for (; rest > 0x7f; rest = Math.floor(rest / 128)) bytes.push((rest & 0x7f) | 0x80);
	return Buffer.from([...bytes, rest]);
}

export function encodeVarintField(field: number, value: number): Buffer {
	return Buffer.concat([encodeVarint(field * 8), encodeVarint(value)]);
}

export function lengthDelimited(field: number, content: Uint8Array): Buffer {
	return Buffer.concat([encodeVarint(field * 8 + 2), encodeVarint(content.length), content]);
}
