import type { TurnMode } from "../../turn/request.ts";
import type { Environment, ProtocolName } from "../protocols/driver.ts";
import type { Protocols } from "../protocols/protocols.ts";
import type { RunChoices } from "../run/run-choices.ts";
import type { RunServices } from "../run/run-parts.ts";
import type { AccountFacts } from "./account-facts.ts";
import type { ClientIdentity } from "./identity.ts";
import type { TokenSource } from "./token-source.ts";

/** What a Cursor account is made of. */
export interface CursorAccountOptions {
	/** Stable name of the account, never a secret. */
	id: string;
	facts: AccountFacts;
	tokens: TokenSource;
	services: RunServices;
	identity: ClientIdentity;
	/** The client that the gateway identifies itself as in the older protocols. */
	chatIdentity(protocol: ProtocolName): ClientIdentity;
	protocols: Protocols;
	/** What to do where servers differ. Read before each run. */
	choices(): RunChoices;
	/** The mode for requests that do not set one. If undefined, it follows from the request's tools. */
	mode: TurnMode | undefined;
	environment: Environment;
	/** Milliseconds since the epoch. */
	now(): number;
}
