import { act, StrictMode } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { vi } from 'vitest';
import type { Locale } from '../../../machines/model/language.ts';
import { readPageData } from '../../../src/client/page-data.ts';
import { screenKey, whenAtRest } from '../../../src/painting/at-rest.ts';
import { startVisit, visitorWorld } from '../../../src/painting/visit.ts';
import { App } from '../../../src/shell/App.tsx';
import { allParts } from '../../../src/shell/fetch-flow.ts';
import { IsPaintedScreen } from '../../../src/views/app-actor.ts';

export type Visit = { origin: string; path: string; language: Locale; look: string };

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
  const { pathname, search } = new URL(path, origin);
  const world = visitorWorld({ config: data.config, origin, pathname, search, language }, async (request) => {
    const answer = data.answer(request);
    if (answer) return answer;
    asked.push(request.url);
    throw new TypeError('The page came without this answer.');
  });
  const { actor, i18n } = await startVisit({ world, parts: allParts, language, look, supportEmail: '' });
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
          <IsPaintedScreen value>
            <App actor={actor} i18n={i18n} saveRecord={() => {}} />
          </IsPaintedScreen>
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
