import { join } from "node:path";
import type { Places } from "../config/places.ts";
import type { Edit, Json } from "./edit.ts";
import type { FormatName } from "./formats/format.ts";

/** What a client has to know about the gateway. */
export interface Target {
	/** Without `/v1`. */
	url: string;
	key: string;
	/** The model to use from now on. */
	model: string;
	models: TargetModel[];
	/** Whether it serves turns over WebSockets. */
	webSockets?: boolean;
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
	/** The API it speaks; the trial request uses it. */
	api: "chat" | "responses" | "messages";
	/** Where its settings can be, in the order in which it looks. The first one that exists is edited, else the first. */
	files(places: Places): string[];
	/** Edits that add the gateway to the client. */
	provider(target: Target): Edit[];
	/** Edits that make the client use it; empty if the client does so as soon as it is added. */
	selection(target: Target): Edit[];
	/** What a new file needs in addition. */
	fresh?: Edit[];
	/** What the user has to do or know afterwards. */
	notes?(target: Target, surroundings: Surroundings): string[];
}

/** What a client reads besides the settings that we write. */
interface Surroundings {
	/** An environment variable, or an empty text. */
	variable: Places["variable"];
	/** The client's settings, with ours. */
	settings: Json;
}

/** The gateway's name in clients. */
export const PROVIDER = "cursorwire";
export const PROVIDER_TITLE = "Cursor (Cursorwire)";

/** Most models do not state a limit; clients use this number for `max_tokens`. */
export const OUTPUT_TOKENS = 32_000;

/** The context window of the chosen model, in tokens. */
export const contextOf = ({ model, models }: Target): number | undefined =>
	models.find(({ id }) => id === model)?.contextWindow;

/** The folder for settings of programs that follow the XDG rules. */
export const configFolder = ({ home, variable }: Places): string =>
	variable("XDG_CONFIG_HOME") || join(home, ".config");
