/** A button or a form that was pressed, or a choice that was made, with its state at that time. */
export type EarlyPress = readonly [element: HTMLElement, state: string | boolean];

/** Presses on a server-rendered page before its program has taken over, in their order. */
export type EarlyPresses = {
  presses: readonly EarlyPress[];
  /** Ends the keeping: every press goes to the page again. */
  stop: () => void;
};

declare global {
  interface Window {
    /** Set by the script in the page's head, read by the program that takes over. */
    earlyPresses?: EarlyPresses;
  }
}

/** Controls that are chosen by a press, rather than typed into. */
const CHOICES = 'select[data-event],[type=checkbox][data-event],[type=radio][data-event]';

const stateOf = (element: HTMLElement): string | boolean => {
  if (element instanceof HTMLInputElement) return element.checked;
  return element instanceof HTMLSelectElement ? element.value : '';
};

/**
 * Keeps presses of buttons and choices for the program to repeat once it has taken over; no other
 * listener receives them. A form is sent by the browser itself, unless a press was kept before that
 * the next page would lose, and the program can still come.
 */
export const keepEarlyPresses = (): EarlyPresses => {
  const presses: EarlyPress[] = [];
  const keeping = new AbortController();
  const options = { capture: true, signal: keeping.signal };
  const keep = (event: Event, selector: string): void => {
    const pressed = (event.target as Element).closest<HTMLElement>(selector);
    if (!pressed) return;
    event.stopPropagation();
    if (event.type === 'submit') event.preventDefault();
    presses.push([pressed, stateOf(pressed)]);
  };
  addEventListener(
    'click',
    (event) => {
      // Its change is the press.
      if ((event.target as Element).closest(CHOICES)) event.stopPropagation();
      else keep(event, 'button[data-event]');
    },
    options,
  );
  addEventListener(
    'change',
    (event) => {
      const choice = (event.target as Element).closest<HTMLInputElement | HTMLSelectElement>(CHOICES);
      // A form leads to the choice by itself; a press that is kept before would be lost by that.
      if (choice?.form && presses.length === 0) choice.form.requestSubmit();
      else keep(event, CHOICES);
    },
    options,
  );
  const keepForm = (event: Event): void => {
    if (presses.length > 0) keep(event, 'form[data-event]');
  };
  addEventListener('submit', keepForm, options);
  addEventListener(
    'error',
    ({ target }) => {
      // The program cannot come.
      if (target instanceof HTMLScriptElement && target.type === 'module') removeEventListener('submit', keepForm, true);
    },
    options,
  );
  return { presses, stop: () => keeping.abort() };
};
