// What the gateway guarantees, survives and refuses: one row per promise, with the id that its tests carry.

export interface ReliabilityGroup {
	title: string;
	/** By id: what happens, and what is expected then. */
	rows: Readonly<Record<string, readonly [scenario: string, expectation: string]>>;
}

export const RELIABILITY: readonly ReliabilityGroup[] = [
	{
		title: "Load",
		rows: {
			L1: ["many streams at once, each with steady events", "every event arrives, in order; memory stays small"],
			L2: [
				"1,000 runs wait for tool results",
				"all are kept alive and continue when their results come; memory stays small",
			],
			L3: ["a burst of connections", "as many turns as there is room for; the rest get a 429 or 503 at once"],
			L4: ["thousands of short replies on kept-alive connections", "all arrive; the gateway adds little time to each"],
			L5: [
				"many clients that read slowly",
				"Cursor is slowed down, memory stays flat, a client that reads nothing is cut off",
			],
			L6: ["very large prompts and replies", "they arrive; other requests are served meanwhile; memory is released"],
			L7: ["mixed load for a long time", "no wrong reply; no growth of memory, descriptors, handles or streams"],
			L8: ["start and stop", "ready quickly; open responses may end; a second signal stops it at once"],
			L9: ["many streams within 256 MB of memory", "the process is not killed; what does not fit is refused"],
		},
	},
	{
		title: "Faults of Cursor and of the network",
		rows: {
			U1: ["GOAWAY while a run is open", "the run ends on its connection, the next one opens another"],
			U2: ["GOAWAY that leaves our stream out", "tried once more if nothing was said, otherwise an error"],
			U3: ["GOAWAY with an error, or for too many pings", "a typed error; pings become rarer"],
			U4: [
				"a stream is reset, with any code, at any point",
				"tried again if it was not processed; otherwise a typed error",
			],
			U5: ["a connection ends while its ping is due", "the process stays up"],
			U6: ["the connection breaks at any byte", "a typed error or the right reply, never a hang, never wrong text"],
			U7: ["the peer stops silently", "noticed by a ping within its limit"],
			U8: ["silence from the start, or after some events", "an error after the limit"],
			U9: ["nothing but heartbeats", "the client's connection is kept; the turn ends at its limit"],
			U10: ["messages cut into any pieces", "the same events, at a cost that depends only on the bytes"],
			U11: ["empty frames, empty messages, padding", "ignored within limits"],
			U12: ["a length that is too large to be true", "refused before any memory is taken"],
			U13: ["compressed messages, honest and not", "decompressed up to the cap, otherwise a protocol error"],
			U14: ["reserved flags, two ends, data after the end", "a protocol error; what comes late is dropped"],
			U15: ["text cut within a character, bytes that are not text", "joined; the replacement character"],
			U16: [
				"an error after a part of the reply",
				"the part, then an error in the client's form, and nothing that looks like a normal end",
			],
			U17: ["a reply without an end", "an error, never a short reply"],
			U18: ["errors in odd forms", "mapped; long messages are cut"],
			U19: ["any HTTP status, HTML, redirects", "mapped; a redirect is never followed with credentials"],
			U20: ["the host name cannot be resolved", "reported soon; works again when the name does"],
			U21: [
				"refused connections, wrong certificates, no HTTP/2",
				"typed; certificates are always verified; HTTP/1.1 instead of HTTP/2",
			],
			U22: ["the HTTP/1.1 channel fails on either side", "one typed end; nothing is sent twice"],
			U23: ["floods of events, thinking or calls", "slowed down, capped, a typed error"],
			U24: ["messages of a newer server", "refused or ignored, and counted by path; the turn continues if it can"],
			U25: ["half of the turns fail for a while", "the breaker opens and closes again; no storm of retries"],
			U26: ["a slow, jittery, narrow connection", "the right reply, in time"],
		},
	},
	{
		title: "Clients",
		rows: {
			C1: [
				"the client disconnects, at any point",
				"the run is cancelled at once, the ledger says so; a parked run is kept",
			],
			C2: ["half-closed connections, reuse after an error", "no response is mixed up with another"],
			C3: ["several requests on one connection", "each gets its own response"],
		},
	},
	{
		title: "Sessions",
		rows: {
			S1: ["a result for an unknown call", "rebuilt from the history"],
			S2: [
				"results twice, changed, missing, unknown or out of order",
				"each counts once; a change is a fork, which is sent in full",
			],
			S3: ["two callers with the same prompts at the same time", "two sessions, nothing crosses over"],
			S4: ["one caller with the same conversation twice at once", "two independent conversations"],
			S5: ["an identical request while or after the first one runs", "the same reply; one run"],
			S6: [
				"a parked run's deadline, eviction, or the end of its key",
				"closed upstream; a later result is rebuilt or refused",
			],
			S7: ["the process is killed with parked runs", "after the restart all turns continue from the history"],
			S8: [
				"two gateways on one Redis",
				"keys, conversations and waiting runs are shared: a result goes into its run whoever gets it; memory replaces a Redis that is gone",
			],
			S9: [
				"a gateway of a group, or its Redis, is killed, stands still or is restarted",
				"every conversation ends right; no result goes into two waiting runs; no stream stays open; a login is renewed once",
			],
		},
	},
	{
		title: "Credentials",
		rows: {
			K1: ["many requests with an expired token", "one refresh; all get their replies"],
			K2: ["several processes and one refresh token", "one exchange for each expiry; the others adopt it"],
			K3: ["a refresh fails, or its result cannot be written", "credentials are never deleted; a typed error"],
			K4: ["a crash between exchange and write", "the new token is not lost if that is possible"],
			K5: ["a token expires during a turn", "the stream continues; the next call refreshes once"],
			K6: ["the clock jumps", "no storm of refreshes, no negative waits"],
			K7: [
				"credential files with wrong modes, owners or content",
				"private when created; otherwise refused with a reason",
			],
			K8: ["no keychain, or one that is locked or slow", "a file instead, and `status` says so"],
			K9: ["logout", "tokens are gone from vault, memory and parked runs"],
		},
	},
	{
		title: "Process and machine",
		rows: {
			O1: ["the disk is full", "served from memory, `/healthz` says so, and it recovers"],
			O2: ["a home folder that is read-only, missing or deleted", "a clear error, or memory"],
			O3: ["few descriptors", "refused with 503; recovers"],
			O4: ["the store's file is cut or damaged", "what is whole is used, the rest is set aside"],
			O5: ["a port in use, two gateways, a stale discovery file", "a clear message; the one that runs is found"],
			O6: ["an uncaught error", "the turn fails; an unexplained error ends the process in an orderly way"],
			O7: ["signals and the parent's death, at any point", "open responses end; no orphan process"],
			O8: ["the log is not read", "no turn waits for it"],
		},
	},
	{
		title: "Bad input",
		rows: {
			B1: ["bodies that are empty, too large or never end", "400, 413 at the limit, 408"],
			B2: ["requests that lie about their length", "refused"],
			B3: ["deep, wide and endless JSON", "400, and no other request waits"],
			B4: ["bytes that are not text, odd characters", "400 for bytes; characters pass"],
			B5: ["names such as `__proto__`, duplicate keys", "no effect"],
			B6: ["a wrong type at any place", "400 that names the place, never 500"],
			B7: ["odd numbers", "400 or exact"],
			B8: ["hostile tool schemas", "passed on as data"],
			B9: ["messages in odd orders", "corrected, or 400"],
			B10: ["images of any kind", "`data:` images up to the cap, otherwise 400"],
			B11: ["compressed bodies", "415"],
			B12: ["a token count for two million characters", "a count, without delaying others"],
			B13: ["line ends in names and ids", "400; never in a header or an event"],
			B14: ["hostile headers", "400, 401 or 431; the process stays up"],
			B15: ["any path in any spelling, with any method", "protected like the plain path"],
		},
	},
	{
		title: "Attackers",
		rows: {
			A1: ["a web page sends requests, from another origin", "403, no CORS header, no effect"],
			A2: ["a name that was made to point here (DNS rebinding)", "403 unless the Host is exactly ours"],
			A3: ["requests that a page may send without a preflight", "403; no turn"],
			A4: ["preflights and odd origins", "refused"],
			A5: ["WebSocket and EventSource", "refused: the gateway serves neither"],
			A6: ["framing, scripts in names and errors", "nothing is served that a browser would show or run"],
			A7: [
				"forged requests with cookies, tokens in addresses",
				"no cookie is set or read; a key in an address is ignored",
			],
			A8: ["listening for other machines", "only if configured, and never without a key"],
			A9: ["headers that claim to come from here", "ignored"],
			A10: ["any route without the right key", "401; only `/healthz` is public"],
			A11: ["another user of this machine looks around", "no secret in files, arguments or environment"],
			A12: ["another caller's call ids", "exactly like unknown ones; ids cannot be guessed"],
			A13: ["similar keys", "the hash of the whole key is looked up"],
			A14: ["one caller takes all it can", "its own limits come first; others are served"],
			A15: ["a request or Cursor names another host", "credentials go only to the configured host"],
			A16: ["addresses of images and files", "nothing is fetched"],
			A17: ["responses and errors", "no secret in any of them"],
			A18: ["logs, files, reports", "no secret and no prompt in any of them"],
			A19: [
				"Cursor asks to run, read, write or fetch something",
				"the client's tool is called, or Cursor is refused; the gateway does none of it",
			],
			A20: ["HTTP/2 floods from upstream", "memory stays bounded, the process stays up"],
			A21: [
				"control characters, fake events and fake ends in text",
				"the framing stays intact; the text arrives unchanged",
			],
			A22: ["calls of tools that were not offered, broken arguments", "reported as documented, never run"],
			A23: ["no TLS, a wrong authority, a downgrade", "refused; plain text only on this machine"],
			A24: ["races on files, links in place of folders, any umask", "files are new and private, or refused"],
		},
	},
	{
		title: "Dependencies and releases",
		rows: {
			D1: ["what is installed", "few packages, no install scripts"],
			D2: ["what is packed", "the built tree and nothing else; it runs"],
			D3: ["licences and known problems", "checked"],
			D4: ["publishing", "from CI, with provenance"],
		},
	},
];

export const ROW_IDS: readonly string[] = RELIABILITY.flatMap(({ rows }) => Object.keys(rows));
