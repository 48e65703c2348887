// SDK 1.0.18 imports the native module `sqlite3` when it loads, though it only uses it for its default store.
// The native part is built by an install script, which is not run here; the cases use the SDK's JSONL store.
// The class that the SDK extends has to exist; opening a database has to fail with a clear error.
const ABSENT = `data:text/javascript,${encodeURIComponent(
	'class Database { constructor() { throw new Error("sqlite3 is not built here"); } } export default { Database };',
)}`;

/** @type {import("node:module").ResolveHook} */
export async function resolve(specifier, context, nextResolve) {
	if (specifier === "sqlite3") return { url: ABSENT, shortCircuit: true };
	return nextResolve(specifier, context);
}
