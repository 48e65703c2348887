/** A value that is usually known already, and otherwise comes later. Going on with a known value makes no promise. */
export type Soon<T> = T | Promise<T>;

/**
 * Goes on with a value: at once if it is known, otherwise when it comes. What the next step needs besides can be handed on
 * to it, so that the steps that every turn takes need no closure.
 */
export function soon<T, R>(value: Soon<T>, next: (value: T) => Soon<R>): Soon<R>;
export function soon<T, A, R>(value: Soon<T>, next: (value: T, one: A) => Soon<R>, one: A): Soon<R>;
export function soon<T, A, B, R>(value: Soon<T>, next: (value: T, one: A, two: B) => Soon<R>, one: A, two: B): Soon<R>;
export function soon<T, R>(value: Soon<T>, next: Step<T, R>, one?: unknown, two?: unknown): Soon<R> {
	return value instanceof Promise ? later(value, next, one, two) : next(value, one, two);
}

type Step<T, R> = (value: T, one?: unknown, two?: unknown) => Soon<R>;

const later = <T, R>(value: Promise<T>, next: Step<T, R>, one: unknown, two: unknown): Promise<R> =>
	value.then((known) => next(known, one, two));

/** Does work whose failure is handled here, whether it fails at once or later. */
export function orElse<T>(work: () => Soon<T>, failed: (error: unknown) => T): Soon<T> {
	try {
		const value = work();
		return value instanceof Promise ? value.catch(failed) : value;
	} catch (error) {
		return failed(error);
	}
}
