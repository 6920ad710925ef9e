/** An operator's request cannot be carried out; the message says why. */
export class BadOperation extends Error {}
