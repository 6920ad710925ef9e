import createPurifier from 'dompurify';
import { JSDOM } from 'jsdom';

/** The sanitiser of the browser, in a document of its own: the server's stand-in for `src/views/purifier.ts`. */
// oxlint-disable-next-line pure-machines/state-of-module -- it keeps nothing of what it cleans
export const purifier = createPurifier(new JSDOM('').window);
