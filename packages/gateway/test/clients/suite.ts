import { describe } from "vitest";
import { describeChats } from "./chats.ts";
import type { Client, Talker } from "./client.ts";
import { describeTasks } from "./tasks.ts";
import { describeToolLoops } from "./tool-loops.ts";

/** Everything that a library is used for. */
export function describeClient(name: string, client: Client): void {
	describeTalker(name, client);
	describe(name, () => describeChats(client));
}

/** Another way to have tools run, of a library whose answers are tested already. */
export function describeTalker(name: string, talker: Talker): void {
	describe(name, () => {
		describeToolLoops(talker);
		describeTasks(talker);
	});
}
