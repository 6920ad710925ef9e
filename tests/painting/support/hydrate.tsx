import { setupI18n } from '@lingui/core';
import { act, StrictMode } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { vi } from 'vitest';
import { createActor, type EventObject } from 'xstate';
import type { HistoryCommand, HistoryFact } from '../../../machines/app/location.ts';
import { sessionMachine, type SignedIn, type TabsFact } from '../../../machines/app/session.ts';
import type { Locale } from '../../../machines/model/language.ts';
import { channelPort, requestPort, safePort } from '../../../machines/ports.ts';
import { loadConfig } from '../../../src/client/config.ts';
import { readPageData } from '../../../src/client/page-data.ts';
import { owning } from '../../../src/client/own.ts';
import { createShopClient } from '../../../src/client/shop-client.ts';
import { routeOf } from '../../../src/flows/routes.ts';
import { screenKey, whenAtRest } from '../../../src/painting/at-rest.ts';
import { App } from '../../../src/shell/App.tsx';
import { categoryTreeOf } from '../../../src/shell/category-tree.ts';
import { allParts, flowFetcher } from '../../../src/shell/fetch-flow.ts';
import { translationsOf } from '../../../src/shell/language.ts';
import { createLateMachines } from '../../../src/shell/late-machines.ts';
import { provideApp } from '../../../src/shell/provide-app.ts';
import type { WorldParts } from '../../../src/shell/world.ts';
import { appearanceOf } from '../../../src/storage/appearance.ts';

export type Visit = { origin: string; path: string; language: Locale; look: string };

const visitor = sessionMachine.provide({
  actors: {
    restoreSession: requestPort<SignedIn | null>(async () => null),
    forgetSession: safePort<null>(
      async () => null,
      () => null,
    ),
    tabs: channelPort<EventObject, TabsFact>(() => {}),
  },
});

const never = new Promise<never>(() => {});

/** A window that shows a painted page, and what became of it. */
export type Hydrated = {
  /** Of the painted page, and of the screen that the browser's own machines came to. */
  keys: { painted: string | undefined; own: string };
  html: { painted: string; hydrated: string };
  /** What React had to say. */
  complaints: string[];
  /** Calls that the page had no answer to. */
  asked: string[];
};

/**
 * Shows a page as the server sent it, boots the shop beside it from the answers that came with it, and lets React, in its development
 * build, take over.
 */
export const hydrate = async (page: string, { origin, path, language, look }: Visit): Promise<Hydrated> => {
  const parsed = new DOMParser().parseFromString(page, 'text/html');
  const root = document.createElement('div');
  document.body.replaceChildren(root);
  const source = parsed.querySelector<HTMLElement>('#root');
  root.innerHTML = source?.innerHTML ?? '';
  const painted = { key: source?.dataset['painted'], html: root.innerHTML };

  const data = readPageData(parsed.querySelector('#store')?.textContent ?? '');
  const asked: string[] = [];
  const client = createShopClient({
    loadConfig: () => loadConfig(data.config),
    send: async (request) => {
      const answer = data.answer(request);
      if (answer) return answer;
      asked.push(request.url);
      throw new TypeError('The page came without this answer.');
    },
    token: () => null,
    clearSession: () => {},
    spokenLanguage: () => language,
    report: () => {},
    origin,
  });
  const world = owning<WorldParts>({
    ...client,
    ...categoryTreeOf(client),
    address: () => new URL(path, origin),
    showIcon: () => {},
    declareLanguage: () => {},
    scrolling: { saved: () => ({ y: 0, titles: 0, isReturn: false }), keepCount: () => {}, follow: () => () => {} },
    stands: never,
  });
  const i18n = setupI18n();
  const late = createLateMachines();
  const translations = translationsOf(i18n, world);
  const flows = flowFetcher({
    world,
    parts: allParts,
    loadFlowTranslations: translations.loadFlowTranslations,
    register: late.register,
  });
  const { pathname, search } = new URL(path, origin);
  const history = channelPort<HistoryCommand, HistoryFact>(({ sendBack }) =>
    sendBack({ type: 'history.changed', route: routeOf({ pathname, search }) }),
  );
  const machine = provideApp({
    world,
    late,
    history,
    session: visitor,
    language: translations.language,
    ...flows,
    fetchFrame: () => never,
  });
  await translations.activateLanguage(language);
  const input = { locale: language, appearance: appearanceOf(look), supportEmail: '' };
  const actor = createActor(machine, { input, clock: { setTimeout: () => null, clearTimeout: () => {} } }).start();
  await whenAtRest(actor, world, AbortSignal.timeout(20_000));
  const own = screenKey(actor);

  const complaints: string[] = [];
  const note = (...said: unknown[]): void => void complaints.push(said.map(String).join(' '));
  const { error, warn } = console;
  Object.assign(console, { error: note, warn: note });
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  try {
    const mounted = await act(async () =>
      hydrateRoot(
        root,
        <StrictMode>
          <App actor={actor} i18n={i18n} saveRecord={() => {}} />
        </StrictMode>,
        { onRecoverableError: note, onUncaughtError: note, onCaughtError: note },
      ),
    );
    const hydrated = root.innerHTML;
    await act(async () => mounted.unmount());
    return { keys: { painted: painted.key, own }, html: { painted: painted.html, hydrated }, complaints, asked };
  } finally {
    Object.assign(console, { error, warn });
    vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', false);
    actor.stop();
  }
};
