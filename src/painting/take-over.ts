import { createElement, startTransition, useLayoutEffect, type ReactElement, type ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { createRoot, hydrateRoot } from 'react-dom/client';
import type { ShopClient } from '../client/shop-client.ts';
import { type AppActor, IsPaintedScreen } from '../views/app-actor.ts';
import { HydrationContext } from '../views/HydratedLater.tsx';
import { screenKey, whenAtRest } from './at-rest.ts';
import { followHydration } from './hydration.ts';

type Taking = {
  root: HTMLElement;
  /** The key of the state that the server has painted. */
  painted: string;
  app: AppActor;
  client: Pick<ShopClient, 'calls'>;
  shop: ReactElement;
  /** Of the machines. */
  time: { hold: () => void; letGo: () => void };
  /** Is called when all of the screen is React's. */
  tellThatItIsHydrated: () => void;
};

/** What the painted page's own script has kept (`server/web/page-parts.ts`). */
type Early = { presses?: HTMLElement[]; keepPress?: (event: Event) => void };

/** Keeps no more presses: from here on React hears them, and would hear each of them twice. */
const stopKeeping = ({ keepPress }: Early): void => {
  if (keepPress) removeEventListener('click', keepPress, true);
};

/** Presses again what was pressed before there was a program. */
const makeGood = ({ presses = [] }: Early): void => {
  for (const pressed of presses.splice(0)) {
    const { event } = pressed.dataset;
    const button = pressed.isConnected ? pressed : document.querySelector<HTMLElement>(`button[data-event="${event}"]`);
    button?.click();
  }
};

/** What an element is found by on a screen that has been drawn anew: its name, and which of those with that name it is. */
const placeOf = (element: Element, root: HTMLElement): { selector: string; nth: number } => {
  const selector = ['href', 'name', 'data-event', 'aria-label'].reduce((found, name) => {
    const value = element.getAttribute(name);
    return value === null ? found : `${found}[${name}="${CSS.escape(value)}"]`;
  }, element.localName);
  return { selector, nth: [...root.querySelectorAll(selector)].indexOf(element) };
};

/** Sets a value behind React's back: of one that it was told of, it would hear no change. */
const write = (field: HTMLInputElement, value: string): void =>
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, value);

/**
 * Follows where the keyboard is, and what is typed, on a screen that is about to be replaced.
 * @returns how to put both into the screen that has taken its place
 */
const carryOver = (root: HTMLElement): (() => void) => {
  const fields = [...root.querySelectorAll('input')].map((field) => ({ field, ...placeOf(field, root) }));
  const placeOfFocus = (): ReturnType<typeof placeOf> | null => {
    const { activeElement } = document;
    return activeElement !== null && root.contains(activeElement) ? placeOf(activeElement, root) : null;
  };
  let focused = placeOfFocus();
  const follow = (): void => void (focused = placeOfFocus());
  root.addEventListener('focusin', follow);
  const drawnAt = ({ selector, nth }: ReturnType<typeof placeOf>) => root.querySelectorAll<HTMLElement>(selector)[nth];
  return () => {
    root.removeEventListener('focusin', follow);
    if (focused !== null && document.activeElement === document.body) drawnAt(focused)?.focus({ preventScroll: true });
    for (const { field, ...place } of fields) {
      const drawn = drawnAt(place);
      const isUntouched = drawn instanceof HTMLInputElement && drawn.value === drawn.defaultValue;
      if (!isUntouched || field.value === field.defaultValue) continue;
      write(drawn, field.value);
      // What listens to typing, such as the suggestions, is for the field that is typed into.
      if (document.activeElement === drawn) drawn.dispatchEvent(new Event('input', { bubbles: true }));
    }
  };
};

type DrawnProps = { tell: () => void; children?: ReactNode };

/** Tells when React has put something into the page: a screen, or that there is none. */
const Drawn = ({ tell, children }: DrawnProps): ReactNode => {
  useLayoutEffect(tell, [tell]);
  return children;
};

/**
 * What the server has painted stands until the shop has come to rest. Where that is the screen that was painted, React takes it over as
 * it stands; anywhere else, as for somebody who is signed in, it draws its own in its place, at once.
 */
export const takeOver = async ({ root, painted, app, client, shop, time, tellThatItIsHydrated }: Taking): Promise<void> => {
  await whenAtRest(app, client);
  // React draws in pieces, between which the screen must stay the same.
  time.hold();
  const served = document.head.querySelector('title');
  const { promise: drawn, resolve: tell } = Promise.withResolvers<void>();
  const { whenHydrated, ...hydration } = followHydration();
  const drawing = (isFirst: boolean): ReactElement =>
    createElement(
      Drawn,
      { tell },
      createElement(HydrationContext, { value: hydration }, createElement(IsPaintedScreen, { value: isFirst }, shop)),
    );
  const early = globalThis as Early;
  const isSame = painted === screenKey(app);
  const putBack = isSame ? null : carryOver(root);
  // Whoever presses while React hydrates is heard by it; of what it is about to replace it hears nothing.
  if (isSame) stopKeeping(early);
  let draw: (screen: ReactElement) => void = () => {};
  startTransition(() => {
    const own = isSame ? hydrateRoot(root, drawing(true)) : createRoot(root);
    if (!isSame) own.render(drawing(true));
    draw = (screen) => own.render(screen);
  });
  await drawn;
  stopKeeping(early);
  putBack?.();
  // Whatever somebody does changes states, and React hydrates by the states of now: what is not its own yet would be taken for
  // what it is to become. So all of it is hydrated before a press is heard.
  const pressed = new AbortController();
  const hydrateAtOnce = (): void => flushSync(() => draw(drawing(false)));
  for (const press of ['pointerdown', 'keydown', 'click'])
    addEventListener(press, hydrateAtOnce, { capture: true, once: true, signal: pressed.signal });
  await whenHydrated();
  pressed.abort();
  makeGood(early);
  time.letGo();
  tellThatItIsHydrated();
  startTransition(() => draw(drawing(false)));
  // The server's title may have become React's own; where React has put another one beside it, it is nobody's any more.
  if (document.head.querySelectorAll(':scope > title').length > 1) served?.remove();
};
