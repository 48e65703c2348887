import { pageFilesVersion, readPageFiles } from "../../page-files.ts";
import { type Asset, makeAsset } from "./asset.ts";

export type AssetName = "html" | "js" | "css";

const TYPES: Readonly<Record<AssetName, string>> = {
	html: "text/html; charset=utf-8",
	js: "text/javascript; charset=utf-8",
	css: "text/css; charset=utf-8",
};

/** The three files of the page, read when they are first asked for. */
export class PageAssets {
	#known: { version: string; assets: Readonly<Record<AssetName, Asset>> } | undefined;
	#reading: Promise<void> | undefined;

	async get(name: AssetName): Promise<Asset> {
		this.#reading ??= this.#read().finally(() => {
			this.#reading = undefined;
		});
		await this.#reading;
		return this.#known!.assets[name];
	}

	async #read(): Promise<void> {
		const version = await pageFilesVersion();
		if (this.#known?.version === version) return;
		const { html, js, css } = await readPageFiles();
		const assets = {
			html: makeAsset(TYPES.html, html),
			js: makeAsset(TYPES.js, js),
			css: makeAsset(TYPES.css, css),
		};
		this.#known = { version, assets };
	}
}
