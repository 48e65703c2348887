// The bill of materials of a published package, as CycloneDX 1.6: https://cyclonedx.org/docs/1.6/json/
// Equal sources give equal bytes: no time and no random number is part of it.

/**
 * What became part of a bundle. What npm installs beside it stands in its package.json and describes itself.
 *
 * @param {{ name: string, version: string, license: string }} product
 * @param {{ folder: string, name: string, version: string, license: string }[]} packages
 * @param {(folder: string) => string | undefined} integrityOf what the lock names for a folder of node_modules
 */
export function billOfMaterials(product, packages, integrityOf) {
	const root = { type: "application", ...identified(product) };
	const components = distinct(packages).map((each) => ({
		type: "library",
		...identified(each),
		hashes: [{ alg: "SHA-512", content: hexOf(integrityOf(each.folder), each) }],
	}));
	return {
		$schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
		bomFormat: "CycloneDX",
		specVersion: "1.6",
		version: 1,
		metadata: { component: root },
		components,
		dependencies: [
			{ ref: root["bom-ref"], dependsOn: components.map((component) => component["bom-ref"]) },
			...components.map((component) => ({ ref: component["bom-ref"] })),
		],
	};
}

function identified({ name, version, license }) {
	const purl = `pkg:npm/${name.replace(/^@/, "%40")}@${version}`;
	const isOneName = /^[\w.-]+$/.test(license);
	return {
		"bom-ref": purl,
		name,
		version,
		purl,
		licenses: [isOneName ? { license: { id: license } } : { expression: license }],
	};
}

/** One package may lie in several folders. */
function distinct(packages) {
	return [...new Map(packages.map((each) => [`${each.name}@${each.version}`, each])).values()];
}

function hexOf(integrity, { name, version }) {
	const base64 = /^sha512-(.+)$/.exec(integrity ?? "")?.[1];
	if (base64 === undefined) throw new Error(`the lock names no SHA-512 of ${name} ${version}`);
	return Buffer.from(base64, "base64").toString("hex");
}
