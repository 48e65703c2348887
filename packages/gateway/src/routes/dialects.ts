import { chatDialect } from "../dialects/chat/dialect.ts";
import { completionsDialect } from "../dialects/completions/dialect.ts";
import type { Dialect } from "../dialects/dialect.ts";
import { messagesDialect } from "../dialects/messages/dialect.ts";
import { responsesDialect } from "../dialects/responses/dialect.ts";
import type { RequestHead } from "../server/client-form.ts";

/** Every API that clients can use. */
export const DIALECTS: readonly Dialect[] = [
	chatDialect, // OpenAI
	completionsDialect, // OpenAI, its oldest one
	messagesDialect, // Anthropic
	responsesDialect, // OpenAI, its newest one
];

/** The paths as most clients write them. */
const AT_USUAL_PATH: ReadonlyMap<string, Dialect> = new Map(DIALECTS.map((dialect) => [`/v1${dialect.path}`, dialect]));

const withoutBase = (path: string) => path.replace(/^(\/v1){1,2}(?=\/)/, "");

/** The dialect whose turns are asked for at a path of the table of routes. */
export function dialectOfTurns(route: string): string | undefined {
	return AT_USUAL_PATH.get(`/v1${withoutBase(route)}`)?.name;
}

/** For requests of no particular API: most clients can read its errors. */
const DEFAULT_DIALECT = chatDialect;

/** The dialect of a request: by its path, on paths that several APIs have in common by its headers. */
export function dialectOf(request?: RequestHead): Dialect {
	if (!request) return DEFAULT_DIALECT;
	const url = request.url ?? "";
	return AT_USUAL_PATH.get(url) ?? dialectAt(url) ?? dialectWith(request.headers) ?? DEFAULT_DIALECT;
}

function dialectAt(url: string): Dialect | undefined {
	const path = withoutBase(url.replace(/\?.*$/s, ""));
	const isAt = (base: string) => path === base || path.startsWith(`${base}/`);
	return DIALECTS.find((dialect) => [dialect.path, ...(dialect.otherPaths ?? [])].some(isAt));
}

function dialectWith(headers: RequestHead["headers"]): Dialect | undefined {
	return DIALECTS.find(({ header }) => header !== undefined && headers[header] !== undefined);
}
