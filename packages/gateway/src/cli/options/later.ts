/**
 * An action that loads its command when it is called. Describing all commands needs a small part of the program; what
 * they do needs all of it.
 */
export const later =
	<Args extends unknown[]>(load: () => Promise<(...args: Args) => Promise<void>>) =>
	async (...args: Args): Promise<void> =>
		(await load())(...args);
