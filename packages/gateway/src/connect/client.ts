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
}

export interface TargetModel {
	id: string;
	name: string;
	contextWindow: number;
	thinking: boolean;
	images: boolean;
	/** The efforts that can be chosen, the smallest first. */
	efforts?: readonly string[];
}

/** A settings file of a client. */
export interface SettingsFile {
	format: FormatName;
	/** Where it can be, in the order in which the client looks. The first one that exists is edited, else the first. */
	files(places: Places): string[];
	/** What a new file needs in addition. */
	fresh?: Edit[];
}

/** A client whose settings we know how to change. */
export interface Client extends SettingsFile {
	name: string;
	/** The API it speaks; the trial request uses it. */
	api: "chat" | "responses" | "messages";
	/** Edits that add the gateway to the client. */
	provider(target: Target): Edit[];
	/** Edits that make the client use it; empty if the client does so as soon as it is added, or in its interface alone. */
	selection(target: Target): Edit[];
	/** The file of the selection, where that is not the file of the providers. */
	chooser?: SettingsFile;
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

/** The variable that holds the key, where a client reads it from one whose name is free. */
export const KEY_VARIABLE = "CURSORWIRE_API_KEY";

/** The gateway's name in clients. */
export const PROVIDER = "cursorwire";
export const PROVIDER_TITLE = "Cursor (Cursorwire)";

/** Most models do not state a limit; clients use this number for `max_tokens`. */
export const OUTPUT_TOKENS = 32_000;

/** A window in two parts, for clients that want both: what goes in, and what may come out. */
export function splitWindow(contextWindow: number): { input: number; output: number } {
	const output = Math.min(OUTPUT_TOKENS, Math.floor(contextWindow / 4));
	return { input: contextWindow - output, output };
}

/** The context window of the chosen model, in tokens. */
export const contextOf = ({ model, models }: Pick<Target, "model" | "models">): number | undefined =>
	models.find(({ id }) => id === model)?.contextWindow;

/** The folder for settings of programs that follow the XDG rules. */
export const configFolder = ({ home, variable }: Places): string =>
	variable("XDG_CONFIG_HOME") || join(home, ".config");
