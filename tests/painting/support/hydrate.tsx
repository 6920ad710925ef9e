import { act, StrictMode, type ReactElement } from 'react';
import { createRoot, hydrateRoot, type Root, type RootOptions } from 'react-dom/client';
import { vi } from 'vitest';
import type { Locale } from '../../../machines/model/store/language.ts';
import { readPageData } from '../../../src/client/wire/page-data.ts';
import { screenKey, whenAtRest } from '../../../src/painting/at-rest.ts';
import { startVisit, visitorWorld } from '../../../src/painting/visit.ts';
import { App } from '../../../src/shell/app/App.tsx';
import { allParts } from '../../../src/shell/app/fetch-flow.ts';
import { IsPaintedScreen } from '../../../src/views/app-actor.ts';
import { comparable } from './comparable.ts';
import { setWindowWidth, type Width } from './window-width.ts';

export type Visit = { origin: string; path: string; language: Locale; look: string; width: Width };

/** A window that shows a painted page, and what became of it. */
export type Hydrated = {
  /** Of the painted page, of the screen that the browser's own machines came to, and of theirs once it was drawn. */
  keys: { painted: string | undefined; own: string; drawn: string };
  html: { painted: string; hydrated: string };
  /** What can be compared of the markup that the server painted, and of what React draws of the same shop where nothing stands. */
  comparable: { painted: string; fresh: string };
  /** What React had to say. */
  complaints: string[];
  /** Calls that the page had no answer to. */
  asked: string[];
};

/** Boots the shop from the answers that came with its page, until it is at rest. */
const boot = async (page: Document, { origin, path, language, look }: Visit) => {
  const data = readPageData(page.querySelector('#store')?.textContent ?? '');
  const asked: string[] = [];
  const { pathname, search } = new URL(path, origin);
  const world = visitorWorld({ config: data.config, origin, pathname, search, language }, async (request) => {
    const answer = data.answer(request);
    if (answer) return answer;
    asked.push(request.url);
    throw new TypeError('The page came without this answer.');
  });
  const { actor, i18n } = await startVisit({ world, parts: allParts, language, look, supportEmail: '' });
  await whenAtRest(actor, world, AbortSignal.timeout(20_000));
  const shop = (
    <IsPaintedScreen value>
      <App actor={actor} i18n={i18n} saveRecord={() => {}} />
    </IsPaintedScreen>
  );
  return { actor, shop, asked };
};

/** Lets React draw in an element, alone in the window, and reads from there what it has drawn. */
const readDrawn = async (root: HTMLElement, draw: () => Root, read: (root: HTMLElement) => string): Promise<string> => {
  document.body.replaceChildren(root);
  const mounted = await act(async () => draw());
  const drawn = read(root);
  await act(async () => mounted.unmount());
  return drawn;
};

const drawnIn = (root: HTMLElement, shop: ReactElement, options: RootOptions): Root => {
  const fresh = createRoot(root, options);
  fresh.render(shop);
  return fresh;
};

/** Runs with all of React's checks, and hands in where its complaints are written down. */
const withChecks = async <Result,>(complaints: string[], run: (options: RootOptions) => Promise<Result>): Promise<Result> => {
  const note = (...said: unknown[]): void => void complaints.push(said.map(String).join(' '));
  const { error, warn } = console;
  Object.assign(console, { error: note, warn: note });
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  try {
    return await run({ onRecoverableError: note, onUncaughtError: note, onCaughtError: note });
  } finally {
    Object.assign(console, { error, warn });
    vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', false);
  }
};

/**
 * Shows a page as the server sent it in a window of that width, boots the shop beside it from the answers that came with it, and lets
 * React, in its development build, take over; then lets it draw the same shop where nothing stands.
 */
export const hydrate = async (page: string, visit: Visit): Promise<Hydrated> => {
  setWindowWidth(visit.width);
  const parsed = new DOMParser().parseFromString(page, 'text/html');
  const source = parsed.querySelector<HTMLElement>('#root');
  const [root, empty] = [document.createElement('div'), document.createElement('div')];
  root.innerHTML = source?.innerHTML ?? '';
  const painted = { key: source?.dataset['painted'], html: root.innerHTML, comparable: comparable(root) };
  const { actor, shop, asked } = await boot(parsed, visit);
  const own = screenKey(actor);
  const complaints: string[] = [];
  try {
    const [hydrated, fresh] = await withChecks(complaints, async (options): Promise<[string, string]> => [
      await readDrawn(
        root,
        () => hydrateRoot(root, <StrictMode>{shop}</StrictMode>, options),
        ({ innerHTML }) => innerHTML,
      ),
      await readDrawn(empty, () => drawnIn(empty, shop, options), comparable),
    ]);
    return {
      keys: { painted: painted.key, own, drawn: screenKey(actor) },
      html: { painted: painted.html, hydrated },
      comparable: { painted: painted.comparable, fresh },
      complaints,
      asked,
    };
  } finally {
    actor.stop();
  }
};
