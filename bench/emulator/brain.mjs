/** Keeps the run open if the prompt says so; otherwise says twenty words. */
export default async function* brain(turn) {
	if (turn.prompt === "hold") {
		yield { text: "holding" };
		yield { hang: "heartbeats" };
	}
	for (let word = 0; word < 20; word++) yield { text: "word " };
}
