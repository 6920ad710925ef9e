/** The reason why a file cannot be replayed, and advice: one sentence each. */
export type Refusal = { refused: string; advice: string };

export const isRefusal = (value: object): value is Refusal => 'refused' in value;

const RESEND_ADVICE = 'Ask the customer to save the record again and to send the file as it is.';

/** The refusal of a file that was damaged in transfer. */
export const createDamagedFileRefusal = (refused: string): Refusal => ({ refused, advice: RESEND_ADVICE });

/** The refusal of a file that is not a record, or was edited. */
export const createInvalidFileRefusal = (refused: string): Refusal => ({
  refused,
  advice: `A record is a file that the shop saved, colophon-trace-<date>.json. ${RESEND_ADVICE}`,
});
