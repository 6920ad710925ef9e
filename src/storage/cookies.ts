import { choiceCookie } from '../../machines/model/store/choice-cookie.ts';

/** Tells the server what was chosen in this browser. What counts is what the browser itself has stored. */
export const tellServer = (...choice: Parameters<typeof choiceCookie>): void => {
  document.cookie = choiceCookie(...choice);
};
