import { createElement, startTransition, useLayoutEffect, type ReactElement, type ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { isSameScreen } from '../../machines/flows/route.ts';
import type { ShopClient } from '../client/wire/shop-client.ts';
import { parseRoute } from '../../machines/flows/routes.ts';
import { type AppActor, ServerRenderedContext } from '../views/app-actor.ts';
import { HydrationContext } from '../views/HydratedLater.tsx';
import type { EarlyPress } from './early/presses.ts';
import { isContentLoading, isShown, stateHash, whenIdle } from './idle.ts';
import { trackHydration } from './hydration.ts';

type HydrationOptions = {
  root: HTMLElement;
  /** The hash of the state that the server has rendered, by `stateHash`. */
  rendered: string;
  app: AppActor;
  client: Pick<ShopClient, 'calls'>;
  shop: ReactElement;
  /** Holds and resumes the clock of the machines. */
  time: { hold: () => void; resume: () => void };
  /** Called when React has hydrated or rendered all parts of the screen. */
  resolveHydrated: () => void;
};

type ElementLocation = { selector: string; nth: number; count: number };

/**
 * Identifies an element across a re-rendered screen: its selector, its index among the matches, and
 * their number.
 */
const locate = (element: Element, root: ParentNode): ElementLocation => {
  const selector = ['href', 'name', 'data-event', 'data-value', 'aria-label'].reduce((partialSelector, name) => {
    const value = element.getAttribute(name);
    return value === null ? partialSelector : `${partialSelector}[${name}="${CSS.escape(value)}"]`;
  }, element.localName);
  const matches = [...root.querySelectorAll(selector)];
  return { selector, nth: matches.indexOf(element), count: matches.length };
};

/**
 * The element at this location in the document; undefined if the number of matches has changed,
 * since the element may then be another one.
 */
const findElement = ({ selector, nth, count }: ElementLocation): HTMLElement | undefined => {
  const matches = document.querySelectorAll<HTMLElement>(selector);
  return matches.length === count ? matches[nth] : undefined;
};

/** The last press of each control, in order; the radio buttons of a name count as one control. */
const findLastPresses = (presses: readonly EarlyPress[]): EarlyPress[] => {
  const lastPresses = new Map<unknown, EarlyPress>();
  for (const press of presses) {
    const [element] = press;
    const control = element instanceof HTMLInputElement && element.type === 'radio' ? element.name : element;
    lastPresses.delete(control);
    lastPresses.set(control, press);
  }
  return [...lastPresses.values()];
};

/**
 * Selects an option if it exists and is not selected yet; on the server-rendered screen, the
 * selected option is the one that the server has marked.
 */
const selectOption = (select: HTMLSelectElement, value: string, isServerRendered: boolean): void => {
  const options = [...select.options];
  const selectedValue = isServerRendered ? options.find(({ defaultSelected }) => defaultSelected)?.value : select.value;
  if (value === selectedValue || options.every((option) => option.value !== value)) return;
  select.value = value;
  select.dispatchEvent(new Event('change', { bubbles: true }));
};

/** Replays the presses and choices from before hydration. */
const replayEarlyEvents = (): void => {
  const { presses } = window.earlyPresses ?? { presses: [] };
  const route = parseRoute(location);
  // All controls are found before the first press is replayed, which may change the screen.
  const targets = findLastPresses(presses).map(([control, state]) => {
    // The replaced elements remain in a detached tree.
    const node = control.isConnected ? control : findElement(locate(control, control.getRootNode() as Element));
    return { node, isSame: node === control, state };
  });
  // React takes the value at hydration as its own, and only notices a change.
  for (const [control] of presses)
    if (control instanceof HTMLInputElement && control.isConnected) control.checked = control.defaultChecked;
  for (const { node, isSame, state } of targets) {
    if (!node?.isConnected || !isSameScreen(route, parseRoute(location))) continue;
    if (node instanceof HTMLFormElement) node.requestSubmit();
    else if (node instanceof HTMLSelectElement) selectOption(node, state as string, isSame);
    else if (!(node instanceof HTMLInputElement) || node.checked !== state) node.click();
  }
};

/** Sets a value without React's tracking: React would notice no change of a tracked value. */
const setValueSilently = (field: HTMLInputElement, value: string): void =>
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, value);

/**
 * Tracks the focus and the typed text on a screen that is about to be replaced.
 * @returns a function that restores both in the new screen
 */
const trackFocusAndInput = (root: HTMLElement): (() => void) => {
  const fields = [...root.querySelectorAll('input')].map((field) => ({ field, ...locate(field, root) }));
  const locateFocus = (): ElementLocation | null => {
    const { activeElement } = document;
    return activeElement !== null && root.contains(activeElement) ? locate(activeElement, root) : null;
  };
  let focusLocation = locateFocus();
  const updateFocus = (): void => void (focusLocation = locateFocus());
  root.addEventListener('focusin', updateFocus);
  return () => {
    root.removeEventListener('focusin', updateFocus);
    if (focusLocation !== null && document.activeElement === document.body)
      findElement(focusLocation)?.focus({ preventScroll: true });
    for (const { field, ...elementLocation } of fields) {
      const newField = findElement(elementLocation);
      const isUntouched = newField instanceof HTMLInputElement && newField.value === newField.defaultValue;
      if (!isUntouched || field.value === field.defaultValue) continue;
      setValueSilently(newField, field.value);
      // Listeners to typing, such as the suggestions, are meant for the focused field only.
      if (document.activeElement === newField) newField.dispatchEvent(new Event('input', { bubbles: true }));
    }
  };
};

type MountedProps = { done: () => void; children?: ReactNode };

/** Calls `done` when React has committed its children, even if they render nothing. */
const Mounted = ({ done, children }: MountedProps): ReactNode => {
  useLayoutEffect(done, [done]);
  return children;
};

/** Maximum milliseconds to keep the server-rendered screen while calls are pending. */
const pendingTimeoutMs = 4_000;
/**
 * Maximum milliseconds to keep the server-rendered screen while the shop's own screen would show
 * only a spinner: its links work, and its texts can be read.
 */
const loadingTimeoutMs = 12_000;
const pollIntervalMs = 250;

/**
 * Waits until the shop is idle. If it has a screen to show, it waits at most `loadingTimeoutMs`
 * while that screen would show only a spinner and no press is queued, else at most
 * `pendingTimeoutMs`.
 */
const waitUntilSettled = async (app: AppActor, client: HydrationOptions['client']): Promise<void> => {
  const timeLimit = new AbortController();
  const startedAt = Date.now();
  const timer = setInterval(() => {
    // A visitor who has pressed a control waits for its effect.
    const canWaitLonger = isContentLoading(app) && !window.earlyPresses?.presses.length;
    if (isShown(app) && Date.now() - startedAt >= (canWaitLonger ? loadingTimeoutMs : pendingTimeoutMs)) timeLimit.abort();
  }, pollIntervalMs);
  await whenIdle(app, client, timeLimit.signal).catch(() => {});
  clearInterval(timer);
};

/**
 * Keeps the server-rendered screen until the shop is idle. If the shop's state then matches it,
 * React hydrates it; otherwise, as for a signed-in customer, React replaces it with its own render
 * at once.
 */
export const hydrateOrReplace = async ({
  root,
  rendered,
  app,
  client,
  shop,
  time,
  resolveHydrated,
}: HydrationOptions): Promise<void> => {
  await waitUntilSettled(app, client);
  // React renders in several tasks, between which the state must not change.
  time.hold();
  const { head, documentElement: page } = document;
  const serverTitle = head.querySelector('title');
  const { promise: committed, resolve: resolveCommitted } = Promise.withResolvers<void>();
  const { whenHydrated, ...hydration } = trackHydration();
  const createScreen = (isFirst: boolean): ReactElement =>
    createElement(
      Mounted,
      { done: resolveCommitted },
      createElement(HydrationContext, { value: hydration }, createElement(ServerRenderedContext, { value: isFirst }, shop)),
    );
  const isSameState = rendered === stateHash(app);
  const restoreFocusAndInput = isSameState ? null : trackFocusAndInput(root);
  let render: (screen: ReactElement) => void = () => {};
  startTransition(() => {
    const reactRoot = isSameState ? hydrateRoot(root, createScreen(true)) : createRoot(root);
    if (!isSameState) reactRoot.render(createScreen(true));
    render = (screen) => reactRoot.render(screen);
  });
  await committed;
  restoreFocusAndInput?.();
  // From here on React decides whether to show the sign-in link.
  delete page.dataset['known'];
  // An action changes the state, and React hydrates against the current state: parts that are not
  // hydrated yet would mismatch. So all parts are hydrated before a press is handled.
  const pressListeners = new AbortController();
  const hydrateAll = (): void => flushSync(() => render(createScreen(false)));
  for (const eventName of ['pointerdown', 'keydown', 'click'])
    addEventListener(eventName, hydrateAll, { capture: true, once: true, signal: pressListeners.signal });
  if (window.earlyPresses?.presses.length) hydrateAll();
  await whenHydrated();
  pressListeners.abort();
  // From here on React receives all events, and would receive the queued ones twice.
  window.earlyPresses?.stop();
  replayEarlyEvents();
  time.resume();
  resolveHydrated();
  startTransition(() => render(createScreen(false)));
  // React may have adopted the server's title; where it has added another one, the server's title
  // is obsolete.
  if (head.querySelectorAll(':scope > title').length > 1) serverTitle?.remove();
};
