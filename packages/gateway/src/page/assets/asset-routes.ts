import type { AdmittedCaller } from "../../access/caller.ts";
import type { Handler, Route } from "../../server/exchange.ts";
import { GatewayError } from "../../turn/error.ts";
import { wantsPage } from "../session/page-door.ts";
import { makeAsset, sendAsset } from "./asset.ts";
import { ICON } from "./icon.ts";
import { type AssetName, PageAssets } from "./page-assets.ts";

type Routes = Route<AdmittedCaller>[];

/** The page itself, for anyone: it shows nothing without a session. */
export function assetRoutes(assets = new PageAssets()): Routes {
	const send =
		(name: AssetName): Handler<AdmittedCaller> =>
		async ({ request, response }) =>
			sendAsset(request, response, await assets.get(name));
	const page = send("html");
	const front: Handler<AdmittedCaller> = (requested) =>
		wantsPage(requested.request) ? page(requested) : nothingHere();
	return [
		...READ.map((method) => ({ method, path: "/", handler: front })),
		// Programs that look at `/` are told what they were told before there was a page.
		...WRITE.map((method) => ({ method, path: "/", handler: nothingHere })),
		...READ.map((method) => ({ method, path: "/page/page.js", handler: send("js") })),
		...READ.map((method) => ({ method, path: "/page/page.css", handler: send("css") })),
		...READ.map((method) => ({ method, path: "/page/icon.svg", handler: sendIcon })),
	];
}

const READ = ["GET", "HEAD"] as const;
const WRITE = ["POST", "DELETE"] as const;

const icon = makeAsset("image/svg+xml", ICON);
const sendIcon: Handler<AdmittedCaller> = ({ request, response }) => sendAsset(request, response, icon);

function nothingHere(): never {
	throw new GatewayError("not-found");
}
