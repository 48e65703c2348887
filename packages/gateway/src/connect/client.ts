import { join } from "node:path";
import type { Places } from "../config/places.ts";
import type { Edit } from "./edit.ts";
import type { FormatName } from "./formats/format.ts";

/** The gateway as a client has to know it. */
export interface Target {
	/** Without `/v1`. */
	url: string;
	key: string;
	/** The model to use from now on. */
	model: string;
	models: TargetModel[];
}

export interface TargetModel {
	id: string;
	name: string;
	contextWindow: number;
	thinking: boolean;
	images: boolean;
}

/** A client whose settings we know how to change. */
export interface Client {
	name: string;
	format: FormatName;
	/** The API it speaks, by which the connection is tried. */
	api: "chat" | "responses" | "messages";
	/** Places of its settings, in the order in which it looks. The first one that exists is edited, or the first is made. */
	files(places: Places): string[];
	/** What makes the gateway known to it. */
	provider(target: Target): Edit[];
	/** What makes it the one that is used; empty where it is used as soon as it is known. */
	selection(target: Target): Edit[];
	/** What a new file needs besides. */
	fresh?: Edit[];
	/** What a person has to do or know afterwards. */
	notes?(target: Target): string[];
}

/** Under this name clients know the gateway. */
export const PROVIDER = "cursorwire";
export const PROVIDER_TITLE = "Cursor (Cursorwire)";

/** Most models say nothing about it; what clients do with it is to set `max_tokens`. */
export const OUTPUT_TOKENS = 32_000;

/** The tokens that the chosen model takes. */
export const contextOf = ({ model, models }: Target): number | undefined =>
	models.find(({ id }) => id === model)?.contextWindow;

/** The folder for settings in which programs that follow the XDG rules look. */
export const configFolder = ({ home, variable }: Places): string =>
	variable("XDG_CONFIG_HOME") || join(home, ".config");
