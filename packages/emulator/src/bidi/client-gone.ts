/** The client left: the turn just stops, there is nobody to tell. */
export class ClientGone extends Error {
	constructor() {
		super("the client has left");
	}
}
