// Loaded into the program by a test: on SIGUSR2 something is thrown that nobody catches, in the way FAULT says.
import { EventEmitter } from "node:events";

const boom = () => {
	throw new Error("boom of the test");
};
const FAULTS = {
	timer: () => setTimeout(boom, 1),
	listener: () => setImmediate(() => new EventEmitter().on("event", boom).emit("event")),
	rejection: () => void Promise.reject(new Error("boom of the test")),
};
process.on("SIGUSR2", () => FAULTS[process.env.FAULT]());
