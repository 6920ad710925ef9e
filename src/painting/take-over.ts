import { createElement, startTransition, useLayoutEffect, type ReactElement, type ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { isSameScreen } from '../../machines/flows/route.ts';
import type { ShopClient } from '../client/wire/shop-client.ts';
import { routeOf } from '../../machines/flows/routes.ts';
import { type AppActor, IsPaintedScreen } from '../views/app-actor.ts';
import { HydrationContext } from '../views/HydratedLater.tsx';
import type { EarlyPress } from './early/presses.ts';
import { isAwaited, isShown, screenKey, whenAtRest } from './at-rest.ts';
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

type Place = { selector: string; nth: number; of: number };

/** What an element is found by on a screen that has been drawn anew: its name, and which of how many with that name it is. */
const placeOf = (element: Element, root: ParentNode): Place => {
  const selector = ['href', 'name', 'data-event', 'data-value', 'aria-label'].reduce((found, name) => {
    const value = element.getAttribute(name);
    return value === null ? found : `${found}[${name}="${CSS.escape(value)}"]`;
  }, element.localName);
  const all = [...root.querySelectorAll(selector)];
  return { selector, nth: all.indexOf(element), of: all.length };
};

/** What stands there now, where there are as many of its name as there were: of more or fewer it may be another one. */
const drawnAt = ({ selector, nth, of }: Place): HTMLElement | undefined => {
  const all = document.querySelectorAll<HTMLElement>(selector);
  return all.length === of ? all[nth] : undefined;
};

/** Of each thing the last press, in their order: of choices that exclude each other there is one. */
const lastOf = (presses: readonly EarlyPress[]): EarlyPress[] => {
  const last = new Map<unknown, EarlyPress>();
  for (const press of presses) {
    const [pressed] = press;
    const thing = pressed instanceof HTMLInputElement && pressed.type === 'radio' ? pressed.name : pressed;
    last.delete(thing);
    last.set(thing, press);
  }
  return [...last.values()];
};

/** Chooses what there is, and was not chosen by itself: on the painted screen that is what the server has marked. */
const choose = (select: HTMLSelectElement, value: string, isPainted: boolean): void => {
  const options = [...select.options];
  const chosen = isPainted ? options.find(({ defaultSelected }) => defaultSelected)?.value : select.value;
  if (value === chosen || options.every((option) => option.value !== value)) return;
  select.value = value;
  select.dispatchEvent(new Event('change', { bubbles: true }));
};

/** Presses and chooses again what was pressed and chosen before there was a program. */
const replayPresses = (): void => {
  const { presses } = window.earlyPresses ?? { presses: [] };
  const route = routeOf(location);
  // All are found before the first is pressed, which may draw other things.
  const found = lastOf(presses).map(([pressed, state]) => {
    // What has been replaced stands, whole, beside the page.
    const here = pressed.isConnected ? pressed : drawnAt(placeOf(pressed, pressed.getRootNode() as Element));
    return { here, isSame: here === pressed, state };
  });
  // React takes a choice for what it has drawn itself, and hears of a change only.
  for (const [pressed] of presses)
    if (pressed instanceof HTMLInputElement && pressed.isConnected) pressed.checked = pressed.defaultChecked;
  for (const { here, isSame, state } of found) {
    if (!here?.isConnected || !isSameScreen(route, routeOf(location))) continue;
    if (here instanceof HTMLFormElement) here.requestSubmit();
    else if (here instanceof HTMLSelectElement) choose(here, state as string, isSame);
    else if (!(here instanceof HTMLInputElement) || here.checked !== state) here.click();
  }
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
  const placeOfFocus = (): Place | null => {
    const { activeElement } = document;
    return activeElement !== null && root.contains(activeElement) ? placeOf(activeElement, root) : null;
  };
  let focused = placeOfFocus();
  const follow = (): void => void (focused = placeOfFocus());
  root.addEventListener('focusin', follow);
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

/** Milliseconds for which what is painted stands though a call does not come. */
const patience = 4_000;
/** For so long it stands rather than to give way to a screen that has nothing to show: its links lead on, and its texts can be read. */
const longestPatience = 12_000;
const betweenLooks = 250;

/** Waits until the shop has nothing to do; for calls no longer than somebody would wait, if there is a screen that can be drawn. */
const whenSettled = async (app: AppActor, client: Taking['client']): Promise<void> => {
  const givingUp = new AbortController();
  const begun = Date.now();
  const timer = setInterval(() => {
    // Whoever has pressed something wants more than to read.
    const isRead = isAwaited(app) && !window.earlyPresses?.presses.length;
    if (isShown(app) && Date.now() - begun >= (isRead ? longestPatience : patience)) givingUp.abort();
  }, betweenLooks);
  await whenAtRest(app, client, givingUp.signal).catch(() => {});
  clearInterval(timer);
};

/**
 * What the server has painted stands until the shop has come to rest. Where that is the screen that was painted, React takes it over as
 * it stands; anywhere else, as for somebody who is signed in, it draws its own in its place, at once.
 */
export const takeOver = async ({ root, painted, app, client, shop, time, tellThatItIsHydrated }: Taking): Promise<void> => {
  await whenSettled(app, client);
  // React draws in pieces, between which the screen must stay the same.
  time.hold();
  const { head, documentElement: page } = document;
  const served = head.querySelector('title');
  const { promise: drawn, resolve: tell } = Promise.withResolvers<void>();
  const { whenHydrated, ...hydration } = followHydration();
  const drawing = (isFirst: boolean): ReactElement =>
    createElement(
      Drawn,
      { tell },
      createElement(HydrationContext, { value: hydration }, createElement(IsPaintedScreen, { value: isFirst }, shop)),
    );
  const isSame = painted === screenKey(app);
  const putBack = isSame ? null : carryOver(root);
  let draw: (screen: ReactElement) => void = () => {};
  startTransition(() => {
    const own = isSame ? hydrateRoot(root, drawing(true)) : createRoot(root);
    if (!isSame) own.render(drawing(true));
    draw = (screen) => own.render(screen);
  });
  await drawn;
  putBack?.();
  // Whether the way in is offered is the shop's to say from here on.
  delete page.dataset['known'];
  // Whatever somebody does changes states, and React hydrates by the states of now: what is not its own yet would be taken for
  // what it is to become. So all of it is hydrated before a press is heard.
  const pressed = new AbortController();
  const hydrateAtOnce = (): void => flushSync(() => draw(drawing(false)));
  for (const press of ['pointerdown', 'keydown', 'click'])
    addEventListener(press, hydrateAtOnce, { capture: true, once: true, signal: pressed.signal });
  if (window.earlyPresses?.presses.length) hydrateAtOnce();
  await whenHydrated();
  pressed.abort();
  // From here on React hears everything, and would hear it twice.
  window.earlyPresses?.stop();
  replayPresses();
  time.letGo();
  tellThatItIsHydrated();
  startTransition(() => draw(drawing(false)));
  // The server's title may have become React's own; where React has put another one beside it, it is nobody's any more.
  if (head.querySelectorAll(':scope > title').length > 1) served?.remove();
};
