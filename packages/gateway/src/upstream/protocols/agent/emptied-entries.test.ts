import { create } from "@bufbuild/protobuf";
import { ConversationStateStructureSchema } from "@cursorwire/protocol/agent";
import { expect, it } from "vitest";
import { hasEmptiedEntries } from "./emptied-entries.ts";

function isEmptied(...entries: string[]): boolean {
	const ids = entries.map((_, index) => Uint8Array.of(index));
	const state = create(ConversationStateStructureSchema, { rootPromptMessagesJson: ids });
	return hasEmptiedEntries(
		state,
		new Map(entries.map((entry, index) => [Buffer.from([index]).toString("hex"), Buffer.from(entry)])),
	);
}

const SAID = '{"role":"user","content":[{"type":"text","text":"hello"}]}';

it.each([
	'{"role":"user","content":[]}',
	'{"role":"user","content":""}',
	'{"role":"user","content":null}',
	'{"role":"user"}',
	'{"role":"user","content":[{"type":"text","text":""}]}',
])("%s says nothing any more", (entry) => {
	expect(isEmptied(SAID, entry, SAID)).toBe(true);
});

it.each([
	SAID,
	'{"role":"user","content":"hello"}',
	'{"role":"user","content":[{"type":"image","image":"AA=="}]}',
	'{"role":"user","content":[{"type":"text","text":""},{"type":"image","image":"AA=="}]}',
	'{"role":"assistant","content":[]}',
	'{"role":"system","content":""}',
	"not JSON",
])("%s is as it was", (entry) => {
	expect(isEmptied(SAID, entry)).toBe(false);
});
