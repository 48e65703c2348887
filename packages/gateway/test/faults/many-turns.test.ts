// L4: many short turns over connections that are kept. How long they take is measured by `npm run bench`.
import { expect, it } from "vitest";
import { say, useRig } from "../kit/hostile/rig.ts";

const rig = useRig();

it("L4: 5,000 short turns on eight connections are all answered, each with its own words", async () => {
	const before = rig.turns.length;
	const wrong: string[] = [];
	const worker = async (name: number) => {
		const client = await rig.open();
		for (let turn = 0; turn < 625; turn++) {
			client.send(rig.chat(say(`${name} ${turn}`)));
			const { status, body } = await client.response();
			if (status !== 200 || JSON.parse(body).choices[0].message.content !== `you said ${name} ${turn}`)
				wrong.push(body);
		}
		client.close();
	};
	await Promise.all(Array.from({ length: 8 }, (_, name) => worker(name)));
	expect(wrong).toEqual([]);
	expect(rig.turns.length - before).toBe(5000);
	expect(rig.emulator.stats().streams.open).toBe(0);
});
