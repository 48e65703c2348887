import { createHash } from "node:crypto";
import type { Backend } from "../backend.ts";
import type { Exchange } from "../http/exchange.ts";
import type { Router } from "../http/router.ts";

interface PendingLogin {
	challenge: string;
	approved: boolean;
}

/** The browser login: a page to approve, and a poll that waits for the approval (conformance case `login`). */
export function addLogin(router: Router, backend: Backend): void {
	const logins = new Map<string, PendingLogin>();

	router.add("GET", "/loginDeepControl", (exchange) => {
		const uuid = exchange.query.get("uuid") ?? "";
		const challenge = exchange.query.get("challenge") ?? "";
		if (!uuid || !challenge) return exchange.text(400, page("<p>This login link is incomplete.</p>"), HTML);
		const login = logins.get(uuid) ?? { challenge, approved: backend.autoApprove };
		logins.set(uuid, login);
		exchange.text(200, page(login.approved ? APPROVED : approveForm(uuid, backend)), HTML);
	});

	router.add("POST", "/loginDeepControl/approve", async (exchange) => {
		const form = new URLSearchParams((await exchange.body()).toString("utf8"));
		const login = logins.get(form.get("uuid") ?? "");
		if (!login) return exchange.text(404, page("<p>This login is not known, or it was used already.</p>"), HTML);
		login.approved = true;
		exchange.text(200, page(APPROVED), HTML);
	});

	const poll = (exchange: Exchange, uuid: string, verifier: string) => {
		backend.stats.auth.polls += 1;
		const login = logins.get(uuid) ?? (backend.autoApprove ? { challenge: "", approved: true } : undefined);
		// Clients take exactly this status and body to mean "not yet".
		if (!login?.approved) return exchange.text(404, "Not found");
		if (backend.switches.get("sign-in-policy") === "refused") {
			backend.stats.auth.refused += 1;
			return exchange.json(403, {
				error: "sign_in_policy_violation",
				message: "Your organisation's sign-in policy does not allow this login.",
			});
		}
		const challenge = createHash("sha256").update(verifier).digest("base64url");
		if (login.challenge && login.challenge !== challenge) {
			return exchange.json(403, { error: "verifier_mismatch", message: "The verifier does not fit the challenge." });
		}
		logins.delete(uuid);
		backend.stats.auth.logins += 1;
		const account = backend.directory.first;
		exchange.json(200, { ...backend.directory.issue(account), authId: `auth0|${account.id}`, uuid });
	};

	router.add("POST", "/auth/poll", async (exchange) => {
		if (backend.switches.get("post-poll") === "off") {
			return exchange.json(404, { message: "Route POST:/auth/poll is not here" });
		}
		const body = JSON.parse((await exchange.body()).toString("utf8") || "{}");
		poll(exchange, String(body.uuid ?? ""), String(body.verifier ?? ""));
	});
	router.add("GET", "/auth/poll", (exchange) =>
		poll(exchange, exchange.query.get("uuid") ?? "", exchange.query.get("verifier") ?? ""),
	);
}

const HTML = "text/html; charset=utf-8";
const APPROVED = '<p id="done">Approved. You can close this page and go back to your terminal.</p>';

function approveForm(uuid: string, backend: Backend): string {
	const { name, email } = backend.directory.first;
	return `<p>Sign in as <b>${escapeHtml(name)}</b> (${escapeHtml(email)})?</p>
<form method="post" action="/loginDeepControl/approve">
<input type="hidden" name="uuid" value="${escapeHtml(uuid)}">
<button id="approve">Approve</button>
</form>`;
}

function page(body: string): string {
	return `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Emulator sign-in</title>
<style>body{font:16px/1.5 system-ui;max-width:30rem;margin:15vh auto;padding:0 1rem}button{font:inherit;padding:.5rem 1.5rem}</style>
<h1>Cursorwire emulator</h1>
<p>This is not Cursor. It stands in for Cursor's sign-in page in demos and tests.</p>
${body}
</html>
`;
}

function escapeHtml(text: string): string {
	return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
