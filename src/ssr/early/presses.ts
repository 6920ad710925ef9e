/** A pressed button or form, or a changed control, with its state at that time. */
export type EarlyPress = readonly [element: HTMLElement, state: string | boolean];

/** Presses on a server-rendered page before hydration, in their order. */
export type EarlyPresses = {
  presses: readonly EarlyPress[];
  /** Stops queueing: the page receives every press again. */
  stop: () => void;
};

declare global {
  interface Window {
    /** Set by the script in the page's head, read during hydration. */
    earlyPresses?: EarlyPresses;
  }
}

/** Controls that are changed by a press, rather than by typing. */
const CHOICE_CONTROLS = 'select[data-event],[type=checkbox][data-event],[type=radio][data-event]';

const getState = (element: HTMLElement): string | boolean => {
  if (element instanceof HTMLInputElement) return element.checked;
  return element instanceof HTMLSelectElement ? element.value : '';
};

/**
 * Queues presses of buttons and choices, to be replayed after hydration; no other listener receives
 * them. A form is submitted by the browser itself, unless that would lose a queued press and the
 * scripts can still load.
 */
export const queueEarlyPresses = (): EarlyPresses => {
  const presses: EarlyPress[] = [];
  const keeping = new AbortController();
  const options = { capture: true, signal: keeping.signal };
  const keep = (event: Event, selector: string): void => {
    const pressed = (event.target as Element).closest<HTMLElement>(selector);
    if (!pressed) return;
    event.stopPropagation();
    if (event.type === 'submit') event.preventDefault();
    presses.push([pressed, getState(pressed)]);
  };
  addEventListener(
    'click',
    (event) => {
      // Its `change` event is queued instead.
      if ((event.target as Element).closest(CHOICE_CONTROLS)) event.stopPropagation();
      else keep(event, 'button[data-event]');
    },
    options,
  );
  addEventListener(
    'change',
    (event) => {
      const choice = (event.target as Element).closest<HTMLInputElement | HTMLSelectElement>(CHOICE_CONTROLS);
      // The form applies the choice without scripts; but submitting it would lose an earlier queued
      // press.
      if (choice?.form && presses.length === 0) choice.form.requestSubmit();
      else keep(event, CHOICE_CONTROLS);
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
      // The scripts failed to load.
      if (target instanceof HTMLScriptElement && target.type === 'module') removeEventListener('submit', keepForm, true);
    },
    options,
  );
  return { presses, stop: () => keeping.abort() };
};
