import { randomUUID } from "node:crypto";
import { clone, create, toBinary } from "@bufbuild/protobuf";
import {
	type ConversationStateStructure,
	ConversationStateStructureSchema,
	ConversationTurnStructureSchema,
	type ExecClientMessage,
	ShellArgsSchema,
	ShellCommandSchema,
} from "@cursorwire/protocol/agent";
import { RpcFailure } from "../../rpc/failure.ts";
import { encodeVarintField, lengthDelimited } from "../../rpc/raw-proto.ts";
import { shellOutput } from "../playing/builtin-call.ts";
import { userMessageWith } from "../request/user-message.ts";
import type { Run } from "../run-parts.ts";
import { serializeRootMessage } from "../state/root-messages.ts";

/** A command of the user: the client runs it and shows its output, and the model reads it in the next turn. */
export async function shellTurn(
	{ link, blobs, state: before }: Run,
	command: string,
): Promise<ConversationStateStructure> {
	if (command === "") throw new RpcFailure("invalid_argument", "shell_command_action has no command");
	const toolCallId = `shell_${randomUUID()}`;
	const answer = await link.exec(
		{ case: "shellStreamArgs", value: create(ShellArgsSchema, { command, toolCallId }) },
		randomUUID(),
	);
	for (const message of answer.messages) show(link, message);
	const { stdout, stderr, exitCode = 1 } = shellOutput(answer);
	const turn = create(ConversationTurnStructureSchema, {
		turn: {
			case: "shellConversationTurn",
			value: {
				shellCommand: await blobs.set(toBinary(ShellCommandSchema, create(ShellCommandSchema, { command }))),
				shellOutput: await blobs.set(shellOutputBytes(stdout, stderr, exitCode)),
			},
		},
	});
	const text = `I ran \`${command}\`. Exit code ${exitCode}. Output:\n${stdout}${stderr}`;
	const state = clone(ConversationStateStructureSchema, before);
	state.turns = [...before.turns, await blobs.set(toBinary(ConversationTurnStructureSchema, turn))];
	state.rootPromptMessagesJson = [
		...before.rootPromptMessagesJson,
		await blobs.set(serializeRootMessage(userMessageWith(text))),
	];
	return state;
}

/** ShellOutput {1 stdout, 2 stderr, 3 exit_code}, which the proto files leave out. */
function shellOutputBytes(stdout: string, stderr: string, exitCode: number): Uint8Array {
	const fields = [lengthDelimited(1, Buffer.from(stdout)), lengthDelimited(2, Buffer.from(stderr))];
	return Buffer.concat([...fields, encodeVarintField(3, exitCode)]);
}

function show(link: Run["link"], message: ExecClientMessage["message"]): void {
	const event = message.case === "shellStream" ? message.value.event : undefined;
	if (event?.case === "stdout" || event?.case === "stderr" || event?.case === "exit" || event?.case === "start") {
		link.update({ case: "shellOutputDelta", value: { event } });
	}
}
