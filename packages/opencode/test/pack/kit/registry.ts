// A registry of npm packages on this machine: the packed ones, and what the machine's own registry has. It is also a
// proxy that lets nothing else out.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { basename } from "node:path";

export interface Registry {
	url: string;
	close(): void;
}

/** `tarballs`: paths by package name. */
export async function startRegistry(tarballs: Record<string, string>): Promise<Registry> {
	const upstream = execFileSync("npm", ["config", "get", "registry"], { encoding: "utf8" }).trim().replace(/\/$/, "");
	const server = createServer((request, response) => {
		const path = decodeURIComponent(request.url ?? "/");
		if (!path.startsWith("/")) return void response.writeHead(403).end();
		const name = Object.keys(tarballs).find((known) => path === `/${known}`);
		const tarball = Object.values(tarballs).find((file) => path === `/packed/${basename(file)}`);
		if (name) return sendJson(response, packument(name, tarballs[name]!, url));
		if (tarball) return void response.end(readFileSync(tarball));
		forward(request.url ?? "/", response).catch((error) => response.writeHead(502).end(error.message));
	});
	server.on("connect", (_request, socket) => {
		socket.on("error", () => {});
		socket.end("HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n");
	});
	const forward = async (path: string, response: ServerResponse) => {
		const answer = await fetch(`${upstream}${path}`);
		const isText = answer.headers.get("content-type")?.includes("json") ?? false;
		response.writeHead(answer.status, {
			"content-type": answer.headers.get("content-type") ?? "application/octet-stream",
		});
		// Tarballs come through here as well.
		if (isText) response.end((await answer.text()).replaceAll(upstream, url));
		else response.end(Buffer.from(await answer.arrayBuffer()));
	};
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	return {
		url,
		close() {
			server.closeAllConnections();
			server.close();
		},
	};
}

function packument(name: string, tarball: string, url: string): object {
	const manifest = JSON.parse(
		execFileSync("tar", ["-xzOf", tarball, "package/package.json"], { encoding: "utf8" }),
	) as Record<string, unknown>;
	const version = String(manifest.version);
	const integrity = `sha512-${createHash("sha512").update(readFileSync(tarball)).digest("base64")}`;
	const dist = { tarball: `${url}/packed/${basename(tarball)}`, integrity };
	return { name, "dist-tags": { latest: version }, versions: { [version]: { ...manifest, dist } } };
}

function sendJson(response: ServerResponse, body: object): void {
	response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
}
