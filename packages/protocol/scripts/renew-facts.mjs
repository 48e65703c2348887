// Extracts the facts again, from the SDKs that they name as their sources.
import { otherRpcs } from "./drift/compare.mjs";

const versionIn = (source) => /^sdk-(.+)$/.exec(source)?.[1];

/** The versions of the SDK that the facts come from, newest first. */
export function sdkVersions(facts) {
	const older = Object.values(facts.messages).flatMap(({ source }) => versionIn(source) ?? []);
	return [...new Set([facts.sdk, ...older])];
}

/**
 * @param {any} facts
 * @param {Map<string, import("./extract/reflect.mjs").Schema>} schemas by version
 * @param {string} [sdk] the version to use in place of the newest one
 * @returns {any} the new facts; those from other sources are unchanged
 */
export function renewFacts(facts, schemas, sdk = facts.sdk) {
	const newest = schemas.get(sdk);
	const renewMessage = (name, { source, fields }) => {
		const isNewest = versionIn(source) === facts.sdk && name in newest.messages;
		const version = isNewest ? sdk : versionIn(source);
		if (version === undefined) return { source, fields };
		return { source: `sdk-${version}`, fields: schemas.get(version).messages[name] };
	};
	const renewEnum = (name, values) =>
		[newest, ...schemas.values()].find(({ enums }) => name in enums)?.enums[name] ?? values;
	const renewService = (name, rpcs) =>
		rpcs.map((rpc) => newest.services[name]?.find((each) => each.name === rpc.name) ?? rpc);
	const renewOthers = (name, others) => otherRpcs(facts.services[name], newest.services[name] ?? [], others);
	const renewed = (record, renew) =>
		Object.fromEntries(Object.entries(record).map(([name, value]) => [name, renew(name, value)]));
	return {
		about: facts.about,
		sdk,
		services: renewed(facts.services, renewService),
		otherRpcs: renewed(facts.otherRpcs, renewOthers),
		enums: renewed(facts.enums, renewEnum),
		messages: renewed(facts.messages, renewMessage),
	};
}
