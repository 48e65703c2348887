/** The wire name for Cursor's automatic choice of a model. */
export const AUTOMATIC_ID = "default";
/** The name that users know it by. */
export const AUTOMATIC_NAME = "auto";

/** The name under which a model is offered. */
export function offeredName(id: string): string {
	return id === AUTOMATIC_ID ? AUTOMATIC_NAME : id;
}
