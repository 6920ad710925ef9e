import { createElement, startTransition, useLayoutEffect, type ReactElement, type ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { isSameScreen } from '../../machines/flows/route.ts';
import type { ShopClient } from '../client/wire/shop-client.ts';
import { parseRoute } from '../../machines/flows/routes.ts';
import { type AppActor, IsServerRendered } from '../views/app-actor.ts';
import { HydrationContext } from '../views/HydratedLater.tsx';
import type { EarlyPress } from './early/presses.ts';
import { isContentLoading, isShown, stateHash, whenIdle } from './idle.ts';
import { trackHydration } from './hydration.ts';

type HydrationOptions = {
  root: HTMLElement;
  /** The key of the state that the server has rendered. */
  rendered: string;
  app: AppActor;
  client: Pick<ShopClient, 'calls'>;
  shop: ReactElement;
  /** Holds and resumes the time of the machines. */
  time: { hold: () => void; letGo: () => void };
  /** Called when React has hydrated or rendered the whole screen. */
  resolveHydrated: () => void;
};

type ElementLocation = { selector: string; nth: number; of: number };

/**
 * Identifies an element across a re-rendered screen: its selector, its index among the matches, and
 * their number.
 */
const locate = (element: Element, root: ParentNode): ElementLocation => {
  const selector = ['href', 'name', 'data-event', 'data-value', 'aria-label'].reduce((found, name) => {
    const value = element.getAttribute(name);
    return value === null ? found : `${found}[${name}="${CSS.escape(value)}"]`;
  }, element.localName);
  const all = [...root.querySelectorAll(selector)];
  return { selector, nth: all.indexOf(element), of: all.length };
};

/**
 * The element at that place now, only if the number of matches is the same: otherwise it may be
 * another one.
 */
const findAt = ({ selector, nth, of }: ElementLocation): HTMLElement | undefined => {
  const all = document.querySelectorAll<HTMLElement>(selector);
  return all.length === of ? all[nth] : undefined;
};

/** The last press of each control, in their order: of mutually exclusive choices one remains. */
const lastPressPerControl = (presses: readonly EarlyPress[]): EarlyPress[] => {
  const last = new Map<unknown, EarlyPress>();
  for (const press of presses) {
    const [pressed] = press;
    const thing = pressed instanceof HTMLInputElement && pressed.type === 'radio' ? pressed.name : pressed;
    last.delete(thing);
    last.set(thing, press);
  }
  return [...last.values()];
};

/**
 * Selects an option if it exists and is not selected yet; on the server-rendered screen, the
 * selected one is the option that the server has marked.
 */
const choose = (select: HTMLSelectElement, value: string, isPainted: boolean): void => {
  const options = [...select.options];
  const chosen = isPainted ? options.find(({ defaultSelected }) => defaultSelected)?.value : select.value;
  if (value === chosen || options.every((option) => option.value !== value)) return;
  select.value = value;
  select.dispatchEvent(new Event('change', { bubbles: true }));
};

/** Replays the presses and choices from before hydration. */
const replayEarlyEvents = (): void => {
  const { presses } = window.earlyPresses ?? { presses: [] };
  const route = parseRoute(location);
  // All are found before the first is replayed, which may change the screen.
  const found = lastPressPerControl(presses).map(([pressed, state]) => {
    // The replaced elements remain in a detached tree.
    const here = pressed.isConnected ? pressed : findAt(locate(pressed, pressed.getRootNode() as Element));
    return { here, isSame: here === pressed, state };
  });
  // React takes the value at hydration as its own, and only notices a change.
  for (const [pressed] of presses)
    if (pressed instanceof HTMLInputElement && pressed.isConnected) pressed.checked = pressed.defaultChecked;
  for (const { here, isSame, state } of found) {
    if (!here?.isConnected || !isSameScreen(route, parseRoute(location))) continue;
    if (here instanceof HTMLFormElement) here.requestSubmit();
    else if (here instanceof HTMLSelectElement) choose(here, state as string, isSame);
    else if (!(here instanceof HTMLInputElement) || here.checked !== state) here.click();
  }
};

/** Sets a value without React's tracking: of a tracked value it would notice no change. */
const setValueSilently = (field: HTMLInputElement, value: string): void =>
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, value);

/**
 * Tracks the focus and the typed text on a screen that is about to be replaced.
 * @returns a function that restores both in the new screen
 */
const restoreFocusAndInput = (root: HTMLElement): (() => void) => {
  const fields = [...root.querySelectorAll('input')].map((field) => ({ field, ...locate(field, root) }));
  const placeOfFocus = (): ElementLocation | null => {
    const { activeElement } = document;
    return activeElement !== null && root.contains(activeElement) ? locate(activeElement, root) : null;
  };
  let focused = placeOfFocus();
  const follow = (): void => void (focused = placeOfFocus());
  root.addEventListener('focusin', follow);
  return () => {
    root.removeEventListener('focusin', follow);
    if (focused !== null && document.activeElement === document.body) findAt(focused)?.focus({ preventScroll: true });
    for (const { field, ...place } of fields) {
      const drawn = findAt(place);
      const isUntouched = drawn instanceof HTMLInputElement && drawn.value === drawn.defaultValue;
      if (!isUntouched || field.value === field.defaultValue) continue;
      setValueSilently(drawn, field.value);
      // Listeners to typing, such as the suggestions, are meant for the focused field only.
      if (document.activeElement === drawn) drawn.dispatchEvent(new Event('input', { bubbles: true }));
    }
  };
};

type MountedProps = { tell: () => void; children?: ReactNode };

/** Reports when React has committed a screen, or its absence. */
const Mounted = ({ tell, children }: MountedProps): ReactNode => {
  useLayoutEffect(tell, [tell]);
  return children;
};

/** Maximum time (ms) to keep the server-rendered screen while calls are pending. */
const pendingTimeoutMs = 4_000;
/**
 * Maximum time (ms) to keep it while the shop's own screen would show only a spinner: its links
 * work, and its texts can be read.
 */
const loadingTimeoutMs = 12_000;
const pollIntervalMs = 250;

/**
 * Waits until the shop is idle; for calls at most the time limit, if there is a screen to render.
 */
const waitUntilSettled = async (app: AppActor, client: HydrationOptions['client']): Promise<void> => {
  const givingUp = new AbortController();
  const begun = Date.now();
  const timer = setInterval(() => {
    // A visitor who has pressed a control wants more than to read.
    const isRead = isContentLoading(app) && !window.earlyPresses?.presses.length;
    if (isShown(app) && Date.now() - begun >= (isRead ? loadingTimeoutMs : pendingTimeoutMs)) givingUp.abort();
  }, pollIntervalMs);
  await whenIdle(app, client, givingUp.signal).catch(() => {});
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
  const served = head.querySelector('title');
  const { promise: drawn, resolve: tell } = Promise.withResolvers<void>();
  const { whenHydrated, ...hydration } = trackHydration();
  const drawing = (isFirst: boolean): ReactElement =>
    createElement(
      Mounted,
      { tell },
      createElement(HydrationContext, { value: hydration }, createElement(IsServerRendered, { value: isFirst }, shop)),
    );
  const isSame = rendered === stateHash(app);
  const putBack = isSame ? null : restoreFocusAndInput(root);
  let draw: (screen: ReactElement) => void = () => {};
  startTransition(() => {
    const own = isSame ? hydrateRoot(root, drawing(true)) : createRoot(root);
    if (!isSame) own.render(drawing(true));
    draw = (screen) => own.render(screen);
  });
  await drawn;
  putBack?.();
  // From here on React decides whether to show the sign-in link.
  delete page.dataset['known'];
  // An action changes the state, and React hydrates against the current state: parts that are not
  // hydrated yet would mismatch. So all parts are hydrated before a press is handled.
  const pressed = new AbortController();
  const hydrateAtOnce = (): void => flushSync(() => draw(drawing(false)));
  for (const press of ['pointerdown', 'keydown', 'click'])
    addEventListener(press, hydrateAtOnce, { capture: true, once: true, signal: pressed.signal });
  if (window.earlyPresses?.presses.length) hydrateAtOnce();
  await whenHydrated();
  pressed.abort();
  // From here on React receives all events, and would receive the queued ones twice.
  window.earlyPresses?.stop();
  replayEarlyEvents();
  time.letGo();
  resolveHydrated();
  startTransition(() => draw(drawing(false)));
  // React may have adopted the server's title; where it has added another one, the server's is
  // obsolete.
  if (head.querySelectorAll(':scope > title').length > 1) served?.remove();
};
