import { expect, it } from "vitest";
import { runProgram, startProgram, temporaryFolder } from "../kit/program.ts";

it.each([[[]], [["--tls"]]])(
	"prints lines that point the gateway at it when they are pasted: emulate %j",
	async (flags) => {
		const emulator = startProgram(["emulate", "--port", "0", "--brain", "echo", ...flags]);
		const [, lines] = await emulator.prints(/paste these lines .*\n\n((?:.+\n)+)\n/);
		const pasted = ["sh", "-c", `cd '${temporaryFolder()}'\n${lines}\nexec "$@"`, "sh"];
		const asked = await runProgram(["ask", "is anybody there"], { HOME: temporaryFolder() }, { under: pasted });
		expect(asked).toEqual({ code: 0, out: "is anybody there\n", err: "" });
	},
);

it("has them in its JSON line too", async () => {
	const emulator = startProgram(["emulate", "--port", "0", "--brain", "echo", "--json"]);
	const { gateway } = JSON.parse((await emulator.prints(/^\{.*\}$/m))[0]);
	const asked = await runProgram(["ask", "is anybody there"], { HOME: temporaryFolder(), ...gateway });
	expect(asked).toEqual({ code: 0, out: "is anybody there\n", err: "" });
});
