// A Cursor whose answers wait until a test lets them through.
import { closing } from "../cleanup.ts";
import { TcpProxy } from "./tcp-proxy.ts";

export interface HeldCursor {
	/** For `startTestGateway`. */
	before(emulator: string): Promise<string>;
	/** What Cursor sends from now on waits until the returned function is called. */
	hold(): () => void;
}

export function heldCursor(): HeldCursor {
	let proxy: TcpProxy | undefined;
	return {
		async before(emulator) {
			proxy = closing(await TcpProxy.listen(new URL(emulator)));
			return proxy.origin.href;
		},
		hold: () => proxy!.hold(),
	};
}
