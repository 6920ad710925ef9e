import { createNews, type News } from '../world/news.ts';

/** A world's news of titles that have become the customer's in this tab: said by every port that hears of one. */
export const grants = (): News => createNews();
