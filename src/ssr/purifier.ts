import createPurifier from 'dompurify';
import { JSDOM } from 'jsdom';

/**
 * The browser's sanitiser with its own document: the server's replacement of
 * `src/views/purifier.ts`.
 */
// oxlint-disable-next-line pure-machines/state-of-module -- it keeps nothing of the texts that it sanitises
export const purifier = createPurifier(new JSDOM('').window);
