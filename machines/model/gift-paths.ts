import { withQuery } from './paths.ts';

/** Where a title is given to somebody. */
export const giftPath = (titleId: string): string => withQuery('/title/gift', { titleid: titleId });
