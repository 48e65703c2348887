/** Cursor's own choice of a model, as the wire calls it. */
export const AUTOMATIC_ID = "default";
/** The same as its users know it. */
export const AUTOMATIC_NAME = "auto";

/** The name under which a model is offered. */
export function offeredName(id: string): string {
	return id === AUTOMATIC_ID ? AUTOMATIC_NAME : id;
}
