// Adds headers to the calls an SDK makes, beneath it, for a version that has the wire feature but no option for it.
import http from "node:http";
import http2 from "node:http2";
import https from "node:https";
import { syncBuiltinESMExports } from "node:module";

/**
 * @template T
 * @param {RegExp} paths
 * @param {Record<string, string>} headers
 * @param {() => Promise<T>} action
 */
export async function withHeaders(paths, headers, action) {
	const restore = [
		patchRequest(http, paths, headers),
		patchRequest(https, paths, headers),
		patchSessions(paths, headers),
	];
	// Modules that import these functions by name see a replacement only after this.
	syncBuiltinESMExports();
	try {
		return await action();
	} finally {
		for (const undo of restore) undo();
		syncBuiltinESMExports();
	}
}

function patchRequest(module, paths, headers) {
	const original = module.request;
	module.request = (...args) => {
		const request = original.apply(module, args);
		if (paths.test(request.path)) for (const [name, value] of Object.entries(headers)) request.setHeader(name, value);
		return request;
	};
	return () => {
		module.request = original;
	};
}

/** All client sessions share one prototype, also those that are open already. */
function patchSessions(paths, headers) {
	const session = http2.connect("http://127.0.0.1:9");
	session.on("error", () => {});
	const prototype = Object.getPrototypeOf(session);
	session.destroy();
	const original = prototype.request;
	prototype.request = function request(given, options) {
		const added = paths.test(given?.[":path"] ?? "") ? headers : {};
		return original.call(this, { ...given, ...added }, options);
	};
	return () => {
		prototype.request = original;
	};
}
