// A client version that Cursor refuses: the answer says which it was, what to set, and what else is known.
import { expect, it } from "vitest";
import { acceptedVersions } from "../../src/config/client-versions.ts";
import { chatClient } from "../kit/dialects/chat-client.ts";
import { askIn } from "../kit/dialects/dialect-client.ts";
import { startTestGateway } from "../kit/gateway.ts";
import { user } from "../kit/upstream.ts";

const [newest, ...older] = acceptedVersions();

it.each([
	["over HTTP/2", {}],
	["over HTTP/1.1", { http1: true }],
])("is refused %s", async (_name, settings) => {
	const gateway = await startTestGateway({ emulator: { switches: ["client-version=outdated"] }, settings });
	const { error } = await askIn(chatClient, gateway, { messages: [user("x")] });
	expect(error?.kind).toBe("client-outdated");
	expect(error?.message).toContain(`It was ${newest}.`);
	expect(error?.message).toContain("clientVersion (CURSORWIRE_CLIENT_VERSION)");
	expect(error?.message).toContain(`known are ${older.slice(0, 4).join(", ")}`);
});

it("of the older protocols is set by a setting of its own", async () => {
	const settings = { protocol: "unified", chatClientVersion: "1.0.0" };
	const gateway = await startTestGateway({ emulator: { switches: ["client-version=outdated"] }, settings });
	const { error } = await askIn(chatClient, gateway, { messages: [user("x")] });
	expect(error?.message).toContain("It was 1.0.0.");
	expect(error?.message).toContain("chatClientVersion (CURSORWIRE_CHAT_CLIENT_VERSION) to a newer version.");
});
