/** What an operator has asked for and cannot be done; the message says why. */
export class BadOperation extends Error {}
