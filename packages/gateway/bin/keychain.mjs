// Asks the system's keychain on behalf of the gateway, which starts this as a process of its own: a call can wait for a
// dialog that nobody sees, and neither a thread nor a promise that waits inside the module can be given up (ADR 29).

/** Otherwise the module falls back to the kernel's keyring, which is empty after a restart. */
const STORE = { linux: { store: "secret-service" } };

async function carryOut({ call, service, account, text }) {
	const { AsyncEntry } = await import("@napi-rs/keyring");
	if (call === "load") return undefined;
	const entry = new AsyncEntry(service, account, STORE);
	return text === undefined ? entry[call]() : entry[call](text);
}

process.on("message", async ({ id, request }) => {
	try {
		process.send({ id, value: await carryOut(request) });
	} catch (error) {
		process.send({ id, error: { code: error.code, message: error.message } });
	}
});

// An ordinary exit waits for the thread that is inside the module.
process.on("disconnect", () => process.kill(process.pid, "SIGKILL"));
