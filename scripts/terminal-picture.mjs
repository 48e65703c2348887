// Draws a terminal session as SVG: node scripts/terminal-picture.mjs docs/images/demo.svg
// The session is run, not written: `npm start`, the curl line that it prints, Ctrl-C.
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";

const [out] = process.argv.slice(2);
if (!out) {
	console.error("usage: node scripts/terminal-picture.mjs <file.svg>");
	process.exit(2);
}

const demo = spawn("npx", ["cursorwire", "demo", "--port", "4280"], {
	stdio: ["ignore", "pipe", "inherit"],
	detached: true,
});
let printed = "";
for await (const chunk of demo.stdout) {
	printed += chunk;
	if (printed.includes("Ctrl-C")) break;
}
const curl = /curl .*/.exec(printed)[0];
const answer = await run(curl.replace("curl ", "curl -s "));
process.kill(-demo.pid, "SIGINT");

const [url, key] = [/http:\/\/[\d.:]+/.exec(printed)[0], /cw_\S+/.exec(printed)[0].replace(/["']$/, "")];
const session = [
	prompt("npm start"),
	...printed.replaceAll(key, "cw_4f…").trimEnd().split("\n"),
	"",
	prompt(`curl ${url}/v1/chat/completions … | jq -r '.choices[0].message.content'`),
	JSON.parse(answer).choices[0].message.content,
].join("\n");
writeFileSync(out, draw(session.split("\n").filter((line) => !/^\s*(?:npm|>) /.test(line))));

function prompt(command) {
	return `$ ${command}`;
}

async function run(command) {
	const child = spawn("/bin/sh", ["-c", command], { stdio: ["ignore", "pipe", "inherit"] });
	let text = "";
	for await (const chunk of child.stdout) text += chunk;
	return text;
}

function draw(lines) {
	const [width, left, top, step] = [900, 20, 50, 19];
	const fit = lines.map((line) => (line.length > 100 ? `${line.slice(0, 99)}…` : line));
	const inXml = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
	const rows = fit.map((line, index) => {
		const color = line.startsWith("$ ") ? "#7ee787" : "#e6edf3";
		return `<text x="${left}" y="${top + index * step}" fill="${color}" xml:space="preserve">${inXml(line)}</text>`;
	});
	const height = top + rows.length * step;
	return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="ui-monospace, Menlo, Consolas, monospace" font-size="14">
<title>A terminal: npm start, and a question that is answered</title>
<rect width="100%" height="100%" rx="8" fill="#0d1117"/>
<circle cx="20" cy="18" r="6" fill="#ff5f56"/><circle cx="40" cy="18" r="6" fill="#ffbd2e"/><circle cx="60" cy="18" r="6" fill="#27c93f"/>
${rows.join("\n")}
</svg>
`;
}
