import { offeredName } from "../../../upstream/catalog/automatic.ts";
import type { CatalogSnapshot } from "../../../upstream/catalog/catalog.ts";
import type { ModelInfo } from "../../../upstream/catalog/model.ts";
import { cleanText } from "../../../upstream/errors/clean-text.ts";
import { type AccountCommandContext, toExitCode, withAccount } from "../../account-command.ts";
import type { ModelsOptions } from "../../options/account/models.ts";
import { unlessInterrupted } from "../../process/run-command.ts";
import { painter } from "../../terminal/output.ts";
import { printTable } from "../../terminal/table.ts";
import { withSpinner } from "../../terminal/terminal.ts";

/** `cursorwire models`. */
export const models = (options: ModelsOptions): Promise<void> => withAccount((context) => showModels(context, options));

/** What the account can use. Returns the exit code. */
export function showModels(context: AccountCommandContext, options: ModelsOptions): Promise<number> {
	return toExitCode(context, async () => {
		const { catalog } = context.facts;
		const snapshot = await withSpinner("Asking Cursor for its models", () =>
			unlessInterrupted(context.signal, options.refresh ? catalog.refresh() : catalog.upToDate()),
		);
		if (options.json) context.stdout.write(`${toJson(snapshot)}\n`);
		else print(context, snapshot);
	});
}

function toJson({ models, fetchedAt, stale }: CatalogSnapshot): string {
	return JSON.stringify({ fetchedAt: fetchedAt.toISOString(), stale, models }, undefined, 2);
}

function print({ stdout }: AccountCommandContext, { models, fetchedAt, stale, problem }: CatalogSnapshot): void {
	const paint = painter(stdout);
	printTable(stdout, paint, ["ID", "NAME", "CONTEXT", "THINKING", "IMAGES", "VARIANTS"], models.map(toRow));
	if (!stale) return;
	const reason = problem ? ` ${problem.message}` : "";
	stdout.write(`${paint("yellow", `This list is stale: it is from ${fetchedAt.toISOString()}.${reason}`)}\n`);
}

function toRow(model: ModelInfo): string[] {
	return [
		offeredName(model.id),
		cleanText(model.displayName),
		contextText(model),
		model.thinking ? "yes" : "no",
		model.images ? "yes" : "no",
		variantsText(model),
	];
}

function contextText({ contextWindow, maxContextWindow }: ModelInfo): string {
	if (contextWindow === undefined) return "?";
	const largest = maxContextWindow ? ` (max ${tokens(maxContextWindow)})` : "";
	return tokens(contextWindow) + largest;
}

function tokens(count: number): string {
	return count >= 1_000_000 ? `${count / 1_000_000}M` : `${Math.round(count / 1000)}k`;
}

/** Slugs without the id that they begin with: `-low -medium -high`. */
function variantsText({ id, variants }: ModelInfo): string {
	return variants
		.filter(({ slug }) => offeredName(slug) !== offeredName(id))
		.map(({ slug }) => (slug.startsWith(`${id}-`) ? slug.slice(id.length) : slug))
		.join(" ");
}
