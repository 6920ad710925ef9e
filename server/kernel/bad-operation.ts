/** An operator's request cannot be carried out; the message is the reason. */
export class BadOperation extends Error {}
