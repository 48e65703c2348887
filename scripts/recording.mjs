// `npm run recording`: records the session of README.md anew and writes docs/images/recording.svg.
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { cutFilm } from "./recording/film.mjs";
import { recordSession, TABS } from "./recording/session.mjs";
import { drawFrames } from "./recording/svg.mjs";

const FILE = fileURLToPath(new URL("../docs/images/recording.svg", import.meta.url));
const { frames, text } = await recordSession();
const film = cutFilm(frames);
const title =
	"Two terminals: npm start runs the gateway, and Claude Code writes a file and runs it through the gateway";
writeFileSync(FILE, drawFrames(film, { title, tabs: TABS }));
console.log(text);
console.log(`${film.length} frames, ${Math.round(film.reduce((sum, { ms }) => sum + ms, 0) / 1000)} s: ${FILE}`);
