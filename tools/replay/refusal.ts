/** Why a file cannot be replayed, and what to do about it: one sentence each. */
export type Refusal = { refused: string; advice: string };

export const isRefusal = (value: object): value is Refusal => 'refused' in value;

const sendAgain = 'Ask the customer to save the record again and to send the file as it is.';

/** The file did not come as it was saved. */
export const damaged = (refused: string): Refusal => ({ refused, advice: sendAgain });

/** The file is another one, or somebody has changed it. */
export const foreign = (refused: string): Refusal => ({
  refused,
  advice: `A record is a file that the shop saved, colophon-trace-<date>.json. ${sendAgain}`,
});
