import type { MessageInitShape } from "@bufbuild/protobuf";
import type { InteractionQuery, InteractionResponseSchema } from "@cursorwire/protocol/agent";

type AnswerInit = NonNullable<MessageInitShape<typeof InteractionResponseSchema>["result"]>;
type QueryCase = NonNullable<InteractionQuery["query"]["case"]>;

export interface QueryOptions {
	/** Lets Cursor search the web on its own servers, which counts against the user's quota. */
	approveSearch?: boolean;
}

/**
 * The answer to a question that Cursor asks its user. The gateway has no user to ask, so it picks the safe answer: no
 * to anything that costs money or changes something, yes to anything without effect here. An unknown question gets an
 * empty answer, which keeps the turn alive.
 */
export function defaultQueryAnswer(
	{ query }: Pick<InteractionQuery, "query">,
	{ approveSearch = false }: QueryOptions = {},
): AnswerInit {
	if (query.case === undefined) return { case: undefined };
	return approveSearch && query.case === "webSearchRequestQuery" ? APPROVED : ANSWERS[query.case];
}

const WEB = "Cursor's own web tools are off here. Use the tools of this conversation.";
const NOBODY = "Nobody can be asked here. Decide yourself, or ask in your answer.";
const UNAVAILABLE = "This is not available here. Use the tools of this conversation.";

const rejected = (reason: string) => ({ result: { case: "rejected" as const, value: { reason } } });

const APPROVED: AnswerInit = {
	case: "webSearchRequestResponse",
	value: { result: { case: "approved", value: {} } },
};

const ANSWERS: { readonly [C in QueryCase]: AnswerInit } = {
	webSearchRequestQuery: { case: "webSearchRequestResponse", value: rejected(WEB) },
	webFetchRequestQuery: { case: "webFetchRequestResponse", value: rejected(WEB) },
	askQuestionInteractionQuery: {
		case: "askQuestionInteractionResponse",
		value: { result: rejected(NOBODY) },
	},
	switchModeRequestQuery: { case: "switchModeRequestResponse", value: rejected("The mode stays as it is.") },
	createPlanRequestQuery: {
		case: "createPlanRequestResponse",
		value: { result: { planUri: "", result: { case: "success", value: {} } } },
	},
	setupVmEnvironmentArgs: {
		case: "setupVmEnvironmentResult",
		value: { result: { case: "success", value: {} } },
	},
	prManagementRequestQuery: {
		case: "prManagementResult",
		value: { result: { case: "error", value: { error: UNAVAILABLE } } },
	},
	mcpAuthRequestQuery: { case: "mcpAuthRequestResponse", value: rejected(UNAVAILABLE) },
	generateImageRequestQuery: { case: "generateImageRequestResponse", value: rejected(UNAVAILABLE) },
	replaceEnvArgs: {
		case: "replaceEnvResult",
		value: { result: { case: "failure", value: { errorMessage: UNAVAILABLE } } },
	},
	connectScmRequestQuery: { case: "connectScmRequestResponse", value: rejected(UNAVAILABLE) },
};
