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
  const listenerController = new AbortController();
  const options = { capture: true, signal: listenerController.signal };
  const queuePress = (event: Event, selector: string): void => {
    const element = (event.target as Element).closest<HTMLElement>(selector);
    if (!element) return;
    event.stopPropagation();
    if (event.type === 'submit') event.preventDefault();
    presses.push([element, getState(element)]);
  };
  addEventListener(
    'click',
    (event) => {
      // A choice control's `change` event is queued instead.
      if ((event.target as Element).closest(CHOICE_CONTROLS)) event.stopPropagation();
      else queuePress(event, 'button[data-event]');
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
      else queuePress(event, CHOICE_CONTROLS);
    },
    options,
  );
  const queueSubmit = (event: Event): void => {
    if (presses.length > 0) queuePress(event, 'form[data-event]');
  };
  addEventListener('submit', queueSubmit, options);
  addEventListener(
    'error',
    ({ target }) => {
      // The scripts failed to load.
      if (target instanceof HTMLScriptElement && target.type === 'module') removeEventListener('submit', queueSubmit, true);
    },
    options,
  );
  return { presses, stop: () => listenerController.abort() };
};
