import { formatChoiceCookie } from '../../machines/model/store/choice-cookie.ts';

/** Stores a choice in a cookie for the server. The browser's own storage takes precedence. */
export const writeChoiceCookie = (...choice: Parameters<typeof formatChoiceCookie>): void => {
  document.cookie = formatChoiceCookie(...choice);
};
