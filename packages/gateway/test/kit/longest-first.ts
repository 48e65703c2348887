import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * Starts the files whose paths end like these first and in this order, so that no core is idle at the end; the others
 * come after them.
 */
export function longestFirst(endings: readonly string[]) {
	const rankOf = ({ moduleId }: TestSpecification) => {
		const rank = endings.findIndex((ending) => moduleId.endsWith(`/${ending}`));
		return rank < 0 ? endings.length : rank;
	};
	return class LongestFirst extends BaseSequencer {
		override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
			return [...files].sort((one, other) => rankOf(one) - rankOf(other));
		}
	};
}
