// A client with one long conversation, which asks again when a connection breaks, as client libraries do.
import { type Answer, ask, type Message, result, tool, user } from "../kit/dialects/handmade-chat.ts";

const STEP = [tool("step")];

export interface Told {
	text: string;
	/** The rungs of its turns. */
	paths: (string | null)[];
	/** How often it had to ask again. */
	retries: number;
}

export interface Talk {
	name: string;
	/** Whether it asks again when it is refused or cut off. */
	isPatient?: boolean;
	/** Called with the number of results that it has sent. */
	stepped?(sent: number): void;
}

/** Runs the tool `step` until the model has an answer. The n-th result is `<name>-r<n>`. */
export async function converse(
	gateway: { url: string; key: string },
	{ name, isPatient, stepped }: Talk,
): Promise<Told> {
	const messages: Message[] = [user(name)];
	const told: Told = { text: "", paths: [], retries: 0 };
	const once = () => ask(gateway, messages, { tools: STEP, stream: true });
	for (let sent = 0; ; ) {
		const answer = isPatient ? await untilAnswered(once, told) : await once();
		if (answer.status !== 200) throw new Error(`${name}: ${answer.status} ${answer.error?.message}`);
		told.paths.push(answer.path);
		told.text = answer.text;
		const [call] = answer.calls;
		if (!call) return told;
		sent += 1;
		messages.push(answer.message, result(call, `${name}-r${sent}`));
		stepped?.(sent);
	}
}

async function untilAnswered(once: () => Promise<Answer>, told: Told): Promise<Answer> {
	for (;;) {
		const answer = await once().catch(() => undefined);
		if (answer?.status === 200 && !answer.error) return answer;
		told.retries += 1;
		await new Promise((resolve) => setTimeout(resolve, 100));
	}
}

/** What the model says at the end of it. */
export const wholeText = (name: string, steps: number): string =>
	Array.from({ length: steps }, (_, at) => `${name}-r${at + 1}`).join(" ");
