import { modelEntries } from "../../routes/model-entries.ts";
import type { ModelFigures, ModelsSince } from "../../store/ledger-reads.ts";
import { maskSecrets } from "../../text/mask-secrets.ts";
import type { SeenModel } from "../../upstream/catalog/model.ts";
import { daysBegin } from "../../usage/spans.ts";
import type { ModelsAnswer } from "../contract.ts";
import type { PageDataParts } from "./parts.ts";

const DAYS = 30;
const MOST_UNKNOWN = 100;

type ShownModel = ModelsAnswer["models"][number];

/** `GET /page/api/models`. Without a list from Cursor it shows the models that answered. */
export async function readModels({ store, ownAccount, now }: PageDataParts): Promise<ModelsAnswer> {
	const { answered, unanswered } = await store.modelsSince(daysBegin(now(), DAYS));
	const [models, isUnknown] = await knownModels(ownAccount);
	const unknown = new Map<string, number>();
	// A name in no list is passed on for Cursor to judge, so it may look like one that answered.
	for (const { name, turns } of [...unanswered, ...answered.filter((one) => one.turns === one.errors)]) {
		if (await isUnknown(name)) unknown.set(name, (unknown.get(name) ?? 0) + turns);
	}
	return modelsAnswer(models, {
		answered: answered.filter(({ name }) => !unknown.has(name)),
		unanswered: [...unknown].map(([name, turns]) => ({ name, turns })),
	});
}

type IsUnknown = (name: string) => Promise<boolean>;

/** The list, and whether a name stands for nothing in it. Without a list nothing can be said about names. */
async function knownModels(ownAccount: PageDataParts["ownAccount"]): Promise<[readonly SeenModel[], IsUnknown]> {
	try {
		const { catalog } = (await ownAccount()).facts;
		const { models } = await catalog.current();
		return [models, async (name) => (await catalog.resolve({ name })).model === undefined];
	} catch {
		return [[], async () => false];
	}
}

/** `unanswered`: only names that no model has. */
export function modelsAnswer(models: readonly SeenModel[], { answered, unanswered }: ModelsSince): ModelsAnswer {
	const entries = modelEntries(models);
	const figures = new Map(answered.map((figure) => [figure.name, figure]));
	const shown = entries.filter(({ parameters }) => parameters === undefined);
	const listed = shown.map(({ id, model, contextWindow }): ShownModel => {
		const variants = entries.filter((entry) => entry.model === model && entry.parameters).map((entry) => entry.id);
		const names = [...new Set([id, model.id, ...variants])];
		const own = names.flatMap((name) => figures.get(name) ?? []);
		for (const name of names) figures.delete(name);
		return {
			name: id,
			...(contextWindow !== undefined && { contextTokens: contextWindow }),
			variants,
			aliases: [...new Set([model.id, ...model.aliases])].filter((other) => other !== id),
			...(model.pool && { pool: model.pool }),
			...figuresOf(own),
		};
	});
	const others = [...figures.values()].map(
		(figure): ShownModel => ({ name: maskSecrets(figure.name), variants: [], aliases: [], ...figuresOf([figure]) }),
	);
	return {
		models: [...listed, ...others],
		unknown: unanswered.slice(0, MOST_UNKNOWN).map(({ name, turns }) => ({ name: maskSecrets(name), turns })),
	};
}

type Figures = Pick<ShownModel, "turns" | "errors" | "firstTokenMsP50" | "tokensPerSecond">;

/** Of a model and its variants: counts are added up, and times are those of the one that was used most. */
function figuresOf(figures: readonly ModelFigures[]): Figures {
	const sum = { turns: 0, errors: 0 };
	for (const { turns, errors } of figures) {
		sum.turns += turns;
		sum.errors += errors;
	}
	const [most] = [...figures].sort((one, other) => other.turns - one.turns);
	return {
		...sum,
		...(most?.firstTokenP50 !== undefined && { firstTokenMsP50: most.firstTokenP50 }),
		...(most?.tokensPerSecond !== undefined && { tokensPerSecond: most.tokensPerSecond }),
	};
}
