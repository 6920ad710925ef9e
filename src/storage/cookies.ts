import { choiceCookie } from '../../machines/model/store/choice-cookie.ts';

/** Stores a choice in a cookie for the server. The browser's own storage takes precedence. */
export const sendToServer = (...choice: Parameters<typeof choiceCookie>): void => {
  document.cookie = choiceCookie(...choice);
};
