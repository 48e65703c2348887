import { afterEach, describe, expect, it } from "vitest";
import { GatewayError } from "../turn/error.ts";
import { asStarted, helpAsStarted, setStartedAs } from "./as-started.ts";

afterEach(() => setStartedAs("cursorwire"));

const HINT = "Run `cursorwire login`, or `cursorwire doctor`.";

describe("commands in a text", () => {
	it("have the name that the program was started with, once", () => {
		setStartedAs("npx cursorwire");
		const said = "Run `npx cursorwire login`, or `npx cursorwire doctor`.";
		expect(asStarted(HINT)).toBe(said);
		expect(asStarted(said)).toBe(said);
		expect(asStarted('export KEY="$(cursorwire keys show)"')).toBe('export KEY="$(npx cursorwire keys show)"');
	});

	it("are told from the name of the product", () => {
		setStartedAs("npx cursorwire");
		const text = "Update cursorwire: `cursorwire-emulator` and `~/.config/cursorwire` stay.";
		expect(asStarted(text)).toBe(text);
	});

	it("stay valid in JSON", () => {
		setStartedAs('"C:\\my tools\\cursorwire.exe"');
		expect(JSON.parse(asStarted(JSON.stringify({ next: HINT })))).toEqual({ next: asStarted(HINT) });
	});

	it("are found in help without backticks", () => {
		setStartedAs("npx cursorwire");
		expect(
			helpAsStarted("Usage: cursorwire [options]\n  cursorwire demo  try it\n  bash   cursorwire completion"),
		).toBe("Usage: npx cursorwire [options]\n  npx cursorwire demo  try it\n  bash   npx cursorwire completion");
	});

	it("are changed in the gateway's sentences and not in Cursor's", () => {
		setStartedAs("npx cursorwire");
		const error = new GatewayError("signed-out", "Gone.", { detail: "`cursorwire x`.", nextStep: HINT });
		expect(error.fullMessage).toBe(`Gone. \`cursorwire x\`. ${asStarted(HINT)}`);
	});
});
