import { act, StrictMode, type ReactElement } from 'react';
import { createRoot, hydrateRoot, type Root, type RootOptions } from 'react-dom/client';
import { vi } from 'vitest';
import type { Locale } from '../../../machines/model/store/language.ts';
import { readPageData } from '../../../src/client/wire/page-data.ts';
import { stateHash, whenIdle } from '../../../src/ssr/idle.ts';
import { startVisit, createVisitorEnvironment } from '../../../src/ssr/visit.ts';
import { App } from '../../../src/shell/app/App.tsx';
import { allFlowModules } from '../../../src/shell/app/fetch-flow.ts';
import { ServerRenderedContext } from '../../../src/views/app-actor.ts';
import { toComparable } from './comparable.ts';
import { setWindowWidth, type Width } from './window-width.ts';

export type PageVisit = { origin: string; path: string; language: Locale; look: string; width: Width };

/** A window that shows a server-rendered page, and the result of hydrating it. */
export type HydrationResult = {
  /**
   * State hashes of the rendered page, of the browser's own machines, and of those after hydration.
   */
  keys: { rendered: string | undefined; own: string; drawn: string };
  html: { rendered: string; hydrated: string };
  /** Comparable markup: server-rendered, and rendered by React into an empty element. */
  comparable: { rendered: string; fresh: string };
  /** Warnings and errors of React. */
  complaints: string[];
  /** URLs of calls to which the page contained no response. */
  requestedUrls: string[];
};

/** Boots the shop from the answers in its page, until it is idle. */
const bootShop = async (page: Document, { origin, path, language, look }: PageVisit) => {
  const data = readPageData(page.querySelector('#store')?.textContent ?? '');
  const requestedUrls: string[] = [];
  const { pathname, search } = new URL(path, origin);
  const environment = createVisitorEnvironment({ config: data.config, origin, pathname, search, language }, async (request) => {
    const answer = data.takeResponse(request);
    if (answer) return answer;
    requestedUrls.push(request.url);
    throw new TypeError(`The page has no answer to ${request.url}.`);
  });
  const { actor, i18n } = await startVisit({ environment, parts: allFlowModules, language, look, supportEmail: '' });
  await whenIdle(actor, environment, AbortSignal.timeout(20_000));
  const shop = (
    <ServerRenderedContext value>
      <App actor={actor} i18n={i18n} saveRecord={() => {}} />
    </ServerRenderedContext>
  );
  return { actor, shop, requestedUrls };
};

/** Mounts an element as the only one in the window, and reads the result. */
const renderAndRead = async (root: HTMLElement, mount: () => Root, read: (root: HTMLElement) => string): Promise<string> => {
  document.body.replaceChildren(root);
  const mounted = await act(async () => mount());
  const result = read(root);
  await act(async () => mounted.unmount());
  return result;
};

const renderInto = (root: HTMLElement, shop: ReactElement, options: RootOptions): Root => {
  const reactRoot = createRoot(root, options);
  reactRoot.render(shop);
  return reactRoot;
};

/** Runs with all of React's checks; `complaints` collects its warnings and errors. */
const withReactChecks = async <Result,>(
  complaints: string[],
  run: (options: RootOptions) => Promise<Result>,
): Promise<Result> => {
  const recordComplaint = (...values: unknown[]): void => void complaints.push(values.map(String).join(' '));
  const { error, warn } = console;
  Object.assign(console, { error: recordComplaint, warn: recordComplaint });
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  try {
    return await run({ onRecoverableError: recordComplaint, onUncaughtError: recordComplaint, onCaughtError: recordComplaint });
  } finally {
    Object.assign(console, { error, warn });
    vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', false);
  }
};

/**
 * Shows a server-rendered page in a window of that width, boots the shop from the page's answers,
 * and hydrates it with React's development build; then renders the same shop into an empty element.
 */
export const hydratePage = async (page: string, visit: PageVisit): Promise<HydrationResult> => {
  setWindowWidth(visit.width);
  const parsed = new DOMParser().parseFromString(page, 'text/html');
  const source = parsed.querySelector<HTMLElement>('#root');
  const [root, empty] = [document.createElement('div'), document.createElement('div')];
  root.innerHTML = source?.innerHTML ?? '';
  const rendered = { key: source?.dataset['rendered'], html: root.innerHTML, comparable: toComparable(root) };
  const { actor, shop, requestedUrls } = await bootShop(parsed, visit);
  const own = stateHash(actor);
  const complaints: string[] = [];
  try {
    const [hydrated, fresh] = await withReactChecks(complaints, async (options): Promise<[string, string]> => [
      await renderAndRead(
        root,
        () => hydrateRoot(root, <StrictMode>{shop}</StrictMode>, options),
        ({ innerHTML }) => innerHTML,
      ),
      await renderAndRead(empty, () => renderInto(empty, shop, options), toComparable),
    ]);
    return {
      keys: { rendered: rendered.key, own, drawn: stateHash(actor) },
      html: { rendered: rendered.html, hydrated },
      comparable: { rendered: rendered.comparable, fresh },
      complaints,
      requestedUrls,
    };
  } finally {
    actor.stop();
  }
};
