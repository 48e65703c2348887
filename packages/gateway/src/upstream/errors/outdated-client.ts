import { GatewayError } from "../../turn/error.ts";
import type { ClientIdentity } from "../account/identity.ts";

const MOST_NAMED = 4;

/** Adds what helps here to the error for a refused client version. Other errors stay as they are. */
export function withOtherVersions(error: GatewayError, { clientVersion, ifOutdated }: ClientIdentity): GatewayError {
	if (error.kind !== "client-outdated" || !ifOutdated) return error;
	const others = ifOutdated.others.filter((version) => version !== clientVersion).slice(0, MOST_NAMED);
	const another = others.length > 0 ? `another version (known are ${others.join(", ")})` : "a newer version";
	const { message, detail, param, cause } = error;
	const { setting, variable } = ifOutdated;
	return new GatewayError(error.kind, message, {
		...(detail !== undefined && { detail }),
		...(param !== undefined && { param }),
		cause,
		nextStep: `It was ${clientVersion}. Update cursorwire, or set ${setting} (${variable}) to ${another}.`,
	});
}
