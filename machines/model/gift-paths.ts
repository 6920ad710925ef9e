import { withQuery } from './paths.ts';

const giftPage = '/title/gift';

/** Where a title is given to somebody. */
export const giftPath = (titleId: string): string => withQuery(giftPage, { titleid: titleId });

/** Where the gateway sends those back to who pay for a gift. */
export const giftReturnPath = (transId: string): string => withQuery(giftPage, { transId });
