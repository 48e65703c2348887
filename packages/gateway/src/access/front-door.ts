import type { IncomingMessage } from "node:http";
import { type Soon, soon } from "../time/soon.ts";
import { GatewayError } from "../turn/error.ts";
import { type AdmissionRules, type AdmittedCaller, admit } from "./caller.ts";
import { pageHeaders, preflightHeaders } from "./cross-origin.ts";
import { allowedHosts, checkRequest, isPublic, presentedKey } from "./guard.ts";

export interface FrontDoorOptions {
	rules: AdmissionRules;
	/** Origins of web pages that may use the gateway. */
	allowedOrigins: ReadonlySet<string>;
	/** Rejects when the Cursor credential that came as the key is known not to work. */
	checkCredential(credential: string): Promise<void>;
	/** Absent: there is no page. */
	page?: PageAdmission;
}

/** Decides about the requests of the gateway's own page. */
export interface PageAdmission {
	isPublic(request: IncomingMessage): boolean;
	/** Throws a `GatewayError` unless the request has a session. */
	admit(request: IncomingMessage): AdmittedCaller;
}

/** Of the page's own requests. Web pages of other origins may never send them, even where they may use the API. */
const PAGE_PATHS = "/page/";
const PAGE_API = "/page/api/";
const NO_ORIGINS: ReadonlySet<string> = new Set();

/** Decides about a request by its head, before a byte of its body is read: where it comes from, and who sends it. */
export class FrontDoor {
	readonly #options: FrontDoorOptions;
	#hosts: ReadonlySet<string> = new Set();

	constructor(options: FrontDoorOptions) {
		this.#options = options;
	}

	/** Until the port is known, every value of Host is refused. `names`: further names of this machine. */
	listensOn(port: number, names: readonly string[]): void {
		this.#hosts = allowedHosts(port, names);
	}

	isPublic(request: IncomingMessage): boolean {
		const { method = "", url = "" } = request;
		return isPublic({ method, target: url }) || this.#options.page?.isPublic(request) === true;
	}

	/** Throws a `GatewayError` when the request is refused, no matter who sends it. */
	guard({ method = "", url = "", rawHeaders }: IncomingMessage): void {
		const allowedOrigins = this.#originsFor(url);
		const problem = checkRequest({ method, target: url, rawHeaders, allowedHosts: this.#hosts, allowedOrigins });
		if (problem) throw problem;
	}

	/** Finds out who sends the request. Fails with a `GatewayError` if the key is missing or wrong. */
	admit(request: IncomingMessage): Soon<AdmittedCaller> {
		const { page } = this.#options;
		if (page && request.url?.startsWith(PAGE_API)) return page.admit(request);
		const presented = presentedKey(request.rawHeaders);
		if (presented instanceof GatewayError) throw presented;
		return soon(admit(presented, this.#options.rules), this.#letIn, request);
	}

	readonly #letIn = (caller: AdmittedCaller | GatewayError, request: IncomingMessage): Soon<AdmittedCaller> => {
		if (caller instanceof GatewayError) throw caller;
		if (caller.only !== undefined && !isFor(caller.only, request)) throw onlyMetrics();
		return caller.credential === undefined ? caller : this.#checked(caller, caller.credential);
	};

	async #checked(caller: AdmittedCaller, credential: string): Promise<AdmittedCaller> {
		await this.#options.checkCredential(credential);
		return caller;
	}

	/** Headers that every response to a web page carries. */
	standingHeaders({ url = "", headers }: IncomingMessage): Record<string, string> {
		return pageHeaders(headers, this.#originsFor(url));
	}

	/** The response to a browser's preflight request; undefined when the request is not one. */
	preflight({ method, url = "", headers }: IncomingMessage): Record<string, string> | undefined {
		return preflightHeaders(method, headers, this.#originsFor(url));
	}

	#originsFor(url: string): ReadonlySet<string> {
		return url.startsWith(PAGE_PATHS) || url === "/" ? NO_ORIGINS : this.#options.allowedOrigins;
	}
}

/** What keys that are for one thing only may ask for. */
const ASKED_FOR: Readonly<Record<NonNullable<AdmittedCaller["only"]>, string>> = { metrics: "GET /metrics" };

const isFor = (only: NonNullable<AdmittedCaller["only"]>, { method, url }: IncomingMessage): boolean =>
	ASKED_FOR[only] === `${method} ${url?.replace(/\?.*$/s, "")}`;

const onlyMetrics = (): GatewayError =>
	new GatewayError("forbidden", "This key can only read metrics.", {
		nextStep: "Use it for GET /metrics alone, and a key that `cursorwire keys add` makes for everything else.",
	});
