import { focusMain } from '../ui/pass-focus.ts';

/**
 * Takes the focus to the screen that has taken another's place, as a page load would; the first screen leaves it where the
 * browser put it, and says that it stands. One function for every render, so that it runs once for a screen.
 */
export const createFocusTaker = (tellThatItStands: () => void) => {
  let isFirst = true;
  return (mark: HTMLElement | null): void => {
    if (mark === null) return;
    if (!isFirst) return focusMain();
    isFirst = false;
    tellThatItStands();
  };
};
