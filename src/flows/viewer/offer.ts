/** What may be done at a title's end: buying it, when only its sample was read. */
export type Offer = { sample: boolean; onBuy: () => void };
