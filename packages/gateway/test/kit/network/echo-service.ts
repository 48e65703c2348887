// A service on well-known types, described at run time: an oracle for the wire layer needs no generated code.
import { create, createFileRegistry, type DescService, fromBinary, toBinary } from "@bufbuild/protobuf";
import {
	FileDescriptorProtoSchema,
	file_google_protobuf_wrappers,
	type MethodDescriptorProto,
	MethodDescriptorProtoSchema,
	StringValueSchema,
} from "@bufbuild/protobuf/wkt";
import { ConnectError, type ConnectRouter, createClient, type Transport } from "@connectrpc/connect";

/** The shape of `google.protobuf.StringValue` that both sides of a call see. */
interface Text {
	value: string;
}

/** What a server of the echo service does. */
export interface EchoImplementation {
	say(message: Text): Text;
	count(message: Text): AsyncIterable<Text>;
	talk(messages: AsyncIterable<Text>): AsyncIterable<Text>;
}

/** What a client of the echo service can call. */
export interface EchoClient {
	count(message: Text): AsyncIterable<Text>;
	talk(messages: AsyncIterable<Text>): AsyncIterable<Text>;
}

const wrappers = file_google_protobuf_wrappers;

function method(name: string, clientStreaming: boolean, serverStreaming: boolean): MethodDescriptorProto {
	const type = `.${StringValueSchema.typeName}`;
	return create(MethodDescriptorProtoSchema, {
		name,
		inputType: type,
		outputType: type,
		clientStreaming,
		serverStreaming,
	});
}

function createService(): DescService {
	const file = create(FileDescriptorProtoSchema, {
		name: "test/echo.proto",
		package: "test",
		syntax: "proto3",
		dependency: [wrappers.proto.name],
		service: [
			{
				name: "Echo",
				method: [method("Say", false, false), method("Count", false, true), method("Talk", true, true)],
			},
		],
	});
	const registry = createFileRegistry(file, (name) => (name === wrappers.proto.name ? wrappers.proto : undefined));
	const service = registry.getService("test.Echo");
	if (service === undefined) throw new Error("the echo service was not registered");
	return service;
}

/** `Say` is unary, `Count` streams from the server, `Talk` streams both ways; all carry `google.protobuf.StringValue`. */
const service = createService();

// Connect may be installed with a copy of protobuf-es of its own, whose types are not ours although the objects fit.
const theirService = service as unknown as Parameters<typeof createClient>[0];

/** The HTTP path of a method. */
export function echoPath(name: "Say" | "Count" | "Talk"): string {
	return `/${service.typeName}/${name}`;
}

/** Routes for a connect-node server. */
export function echoRoutes(implementation: EchoImplementation): (router: ConnectRouter) => void {
	return (router) => void router.service(theirService, implementation as never);
}

/** A client on a connect-node transport. */
export function echoClient(transport: Transport): EchoClient {
	return createClient(theirService, transport) as unknown as EchoClient;
}

/** An error with a text as its detail. */
export function errorWithDetail(
	message: string,
	code: number,
	metadata: Record<string, string>,
	detail: string,
): ConnectError {
	const details = [{ desc: StringValueSchema, value: { value: detail } }];
	return new ConnectError(message, code, metadata, details as unknown as ConstructorParameters<typeof ConnectError>[3]);
}

export function encodeText(value: string): Uint8Array {
	return toBinary(StringValueSchema, create(StringValueSchema, { value }));
}

export function decodeText(bytes: Uint8Array): string {
	return fromBinary(StringValueSchema, bytes).value;
}
