import type { Soon } from "../../time/soon.ts";
import type { UpstreamSide } from "./upstream.ts";

/**
 * The Cursor side of a gateway whose port is open before that side is loaded, because loading it takes as long as
 * everything else. Requests that need it earlier wait for it. If it cannot be opened, the gateway does not start, which
 * ends those requests with their connections.
 */
export class LateUpstream {
	#side: Soon<UpstreamSide>;
	#ready: UpstreamSide | undefined;
	#resolve!: (side: UpstreamSide) => void;

	constructor() {
		this.#side = new Promise((resolve) => {
			this.#resolve = resolve;
		});
	}

	get side(): Soon<UpstreamSide> {
		return this.#side;
	}

	/** Undefined until it is open. */
	get ready(): UpstreamSide | undefined {
		return this.#ready;
	}

	isOpen(side: UpstreamSide): void {
		this.#side = side;
		this.#ready = side;
		this.#resolve(side);
	}
}
