/** A value that is usually known already, and otherwise comes later. Going on with a known value makes no promise. */
export type Soon<T> = T | Promise<T>;

/** Goes on with a value: at once if it is known, otherwise when it comes. */
export function soon<T, R>(value: Soon<T>, next: (value: T) => Soon<R>): Soon<R> {
	return value instanceof Promise ? value.then(next) : next(value);
}
