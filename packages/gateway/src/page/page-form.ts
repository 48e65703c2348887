import type { ClientForm } from "../server/client-form.ts";
import { asStarted } from "../text/as-started.ts";
import { ERROR_KINDS } from "../turn/error-kinds.ts";
import { DATA_HEADERS } from "./page-headers.ts";

/** Whether a request is one of the page's own. */
export const isPagePath = (url = ""): boolean => url.startsWith("/page/");

/** How the page is told of errors: what happened and what to do next are shown apart. */
export const pageForm: ClientForm = {
	requestIdHeader: "x-request-id",
	encodeError(error) {
		const { type, code } = ERROR_KINDS[error.kind].openai;
		const { retryAfterSeconds } = error;
		return {
			status: error.status,
			headers: {
				...DATA_HEADERS,
				...(retryAfterSeconds !== undefined && { "retry-after": String(Math.ceil(retryAfterSeconds)) }),
			},
			body: {
				error: {
					message: asStarted(error.message),
					nextStep: asStarted(error.nextStep),
					type,
					param: error.param ?? null,
					code,
				},
			},
		};
	},
};
