import * as z from "zod";
import { TURN_MODES, type TurnMode, type TurnRequest } from "../../turn/request.ts";
import { invalid } from "./invalid.ts";

/** What a client may ask of Cursor beyond what its API has. */
export type CursorWishes = Pick<TurnRequest, "mode" | "maxMode">;

/** Fields of the body, the same in each API. */
export const cursorFields = {
	cursor_mode: z.enum(TURN_MODES).nullish(),
	cursor_max_mode: z.boolean().nullish(),
};

interface WishingBody {
	cursor_mode?: TurnMode | null | undefined;
	cursor_max_mode?: boolean | null | undefined;
	/** For clients that can add nothing else to a request. */
	metadata?: { [name: string]: string | null | undefined } | null | undefined;
}

/** The wishes in a body. A field of its own goes before the same in the metadata. */
export function decodeCursorWishes({ cursor_mode, cursor_max_mode, metadata }: WishingBody): CursorWishes {
	if (!cursor_mode && typeof cursor_max_mode !== "boolean" && !metadata) return NO_WISHES;
	const texts = { mode: metadata?.cursor_mode, maxMode: metadata?.cursor_max_mode };
	const places = { mode: "metadata.cursor_mode", maxMode: "metadata.cursor_max_mode" };
	return {
		...readWishes(texts, places),
		...(cursor_mode && { mode: cursor_mode }),
		...(typeof cursor_max_mode === "boolean" && { maxMode: cursor_max_mode }),
	};
}

const NO_WISHES: CursorWishes = Object.freeze({});

type PerWish<T> = Record<keyof CursorWishes, T>;

const FLAGS: ReadonlyMap<string, boolean> = new Map([
	["true", true],
	["1", true],
	["false", false],
	["0", false],
]);

/** The wishes in texts. `places` says where each of them is, for the error about an invalid one. */
export function readWishes(texts: PerWish<string | null | undefined>, places: PerWish<string>): CursorWishes {
	if (!texts.mode && !texts.maxMode) return NO_WISHES;
	const wishes: CursorWishes = {};
	if (texts.mode) {
		const mode = TURN_MODES.find((known) => known === texts.mode);
		if (!mode) throw invalid(places.mode, `must be one of ${TURN_MODES.join(", ")}`);
		wishes.mode = mode;
	}
	if (texts.maxMode) {
		const maxMode = FLAGS.get(texts.maxMode);
		if (maxMode === undefined) throw invalid(places.maxMode, "must be true or false");
		wishes.maxMode = maxMode;
	}
	return wishes;
}
