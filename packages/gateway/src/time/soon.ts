/** A value that is usually known already, and otherwise comes later. Going on with a known value makes no promise. */
export type Soon<T> = T | Promise<T>;

/** Goes on with a value: at once if it is known, otherwise when it comes. */
export function soon<T, R>(value: Soon<T>, next: (value: T) => Soon<R>): Soon<R> {
	return value instanceof Promise ? value.then(next) : next(value);
}

/** Does work whose failure is handled here, whether it fails at once or later. */
export function orElse<T>(work: () => Soon<T>, failed: (error: unknown) => T): Soon<T> {
	try {
		const value = work();
		return value instanceof Promise ? value.catch(failed) : value;
	} catch (error) {
		return failed(error);
	}
}
