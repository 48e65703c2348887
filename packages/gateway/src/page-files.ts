import { readdir, readFile, stat } from "node:fs/promises";

/** The page as it is sent. */
export interface PageFiles {
	html: string | Uint8Array;
	js: string | Uint8Array;
	css: string | Uint8Array;
}

/** This file must stay here: the built files of the page are in `page` beside the built files of the gateway. */
export function readPageFiles(): Promise<PageFiles> {
	return isCheckout()
		? buildFromSource()
		: readBuilt(async (name) => readFile(new URL(`./page/${name}`, import.meta.url)));
}

/** Differs when the files have to be read again. Only in a checkout they ever change. */
export async function pageFilesVersion(): Promise<string> {
	return isCheckout() ? String(await newestChange(new URL("src/", sourceFolder()))) : "built";
}

async function readBuilt(read: (name: string) => Promise<Uint8Array>): Promise<PageFiles> {
	const [html, js, css] = await Promise.all([read("index.html"), read("page.js"), read("page.css")]);
	return { html, js, css };
}

/** A checkout has no build step, so the page is put together when somebody looks at it. */
async function buildFromSource(): Promise<PageFiles> {
	const { buildPage } = await import(new URL("build.mjs", sourceFolder()).href);
	return buildPage();
}

async function newestChange(folder: URL): Promise<number> {
	const names = await readdir(folder, { recursive: true });
	const changes = await Promise.all(
		names.map(async (name) => (await stat(new URL(name.replaceAll("\\", "/"), folder))).mtimeMs),
	);
	return Math.max(0, ...changes);
}

const sourceFolder = (): URL => new URL("../../page/", import.meta.url);

/** The single executable has no files and no `import.meta`. */
const isCheckout = (): boolean => import.meta.url?.endsWith(".ts") ?? false;
