// webpack inlines a generated module that only one other module uses. Of the combined module only the statements that
// declare types are wanted; the rest is code of the SDK.

/** @typedef {import("./webpack-modules.mjs").WebpackModule} WebpackModule */

/**
 * @param {WebpackModule} module
 * @param {(path: string) => boolean} isWanted whether an import is needed for types
 * @returns {WebpackModule}
 */
export function onlyTypes({ parameters, statements }, isWanted) {
	return { parameters, statements: statements.flatMap((statement) => keep(statement, parameters[2], isWanted)) };
}

function keep(statement, require, isWanted) {
	const { node, text } = statement;
	if (node.type === "ClassDeclaration") return isGenerated(text) ? [statement] : [];
	if (node.type === "ExpressionStatement") return DESCRIBES.test(text) ? [statement] : [];
	if (node.type !== "VariableDeclaration") return [];
	const declarations = node.declarations.filter((declaration) => {
		const init = declaration.init && text.slice(declaration.init.start - node.start, declaration.init.end - node.start);
		return isWantedDeclaration(declaration, init, require, isWanted);
	});
	if (declarations.length === 0) return [];
	const kept = declarations.map(({ start, end }) => text.slice(start - node.start, end - node.start));
	return [{ node: { ...node, declarations }, text: `${node.kind} ${kept.join(",")};` }];
}

/** Statements that give an enum its values, or a class those fields that are not in the class itself. */
const DESCRIBES = /\.proto3\.util\.(setEnumType|newFieldList)\(/;

/** Classes of messages, and their base classes if the fields come as a compact text. */
const isGenerated = (text) => /\.proto3\.util\.equals\(|static \$p\(\)/.test(text);

function isWantedDeclaration({ init }, text, require, isWanted) {
	if (!init) return true;
	if (init.type === "Literal") return true;
	if (init.type === "CallExpression" && init.callee.name === require) return isWanted(init.arguments[0]?.value);
	if (init.type === "ObjectExpression") return /^\{typeName:/.test(text);
	return init.type === "CallExpression" && /\.proto3[,.)]/.test(text);
}

/**
 * What a module declares, including what it does not export.
 * @param {WebpackModule} module
 * @returns {string[]}
 */
export function declaredNames({ statements }) {
	return statements.flatMap(({ node }) => {
		if (node.type === "ClassDeclaration") return [node.id.name];
		if (node.type !== "VariableDeclaration") return [];
		return node.declarations.filter(({ id }) => id.type === "Identifier").map(({ id }) => id.name);
	});
}
