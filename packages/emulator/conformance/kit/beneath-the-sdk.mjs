// Hooks into the SDK's requests below the SDK, in Node's HTTP modules, without the SDK noticing.
import http from "node:http";
import http2 from "node:http2";
import https from "node:https";
import { syncBuiltinESMExports } from "node:module";

/**
 * @typedef {object} Hooks
 * @property {(path: string) => Record<string, string>} [headersFor] headers to put on a call
 * @property {(path: string, response: import("node:stream").Readable) => void} [onResponse] before its first byte is read
 */

/**
 * @template T
 * @param {Hooks} hooks
 * @param {() => Promise<T>} action
 */
export async function beneathTheSdk({ headersFor = () => ({}), onResponse = () => {} }, action) {
	const restore = [
		patchRequest(http, headersFor, onResponse),
		patchRequest(https, headersFor, onResponse),
		patchSessions(headersFor, onResponse),
	];
	// Without this, modules that import these functions by name would keep the original ones.
	syncBuiltinESMExports();
	try {
		return await action();
	} finally {
		for (const undo of restore) undo();
		syncBuiltinESMExports();
	}
}

function patchRequest(module, headersFor, onResponse) {
	const original = module.request;
	module.request = (...args) => {
		const request = original.apply(module, args);
		for (const [name, value] of Object.entries(headersFor(request.path))) request.setHeader(name, value);
		request.prependOnceListener("response", (response) => onResponse(request.path, response));
		return request;
	};
	return () => {
		module.request = original;
	};
}

/** All client sessions share one prototype, including those that are already open. */
function patchSessions(headersFor, onResponse) {
	const session = http2.connect("http://127.0.0.1:9");
	session.on("error", () => {});
	const prototype = Object.getPrototypeOf(session);
	session.destroy();
	const original = prototype.request;
	prototype.request = function request(given, options) {
		const path = given?.[":path"] ?? "";
		const stream = original.call(this, { ...given, ...headersFor(path) }, options);
		onResponse(path, stream);
		return stream;
	};
	return () => {
		prototype.request = original;
	};
}
