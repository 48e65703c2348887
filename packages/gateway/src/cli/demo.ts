import { emulate } from "cursorwire-emulator";

/** The demo: for now Cursor's backend in a box; the gateway joins it when it can serve a client. */
export async function demo(flags: { port: string }): Promise<void> {
	await emulate({
		host: "127.0.0.1",
		port: flags.port,
		brain: "demo",
		fault: [],
		set: [],
		heartbeat: "5000",
		log: "200",
	});
}
