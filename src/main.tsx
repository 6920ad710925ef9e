import { setupI18n } from '@lingui/core';
import { startTransition, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createActor } from 'xstate';
import { allFlowModules, createFlowFetcher } from './shell/app/fetch-flow.ts';
import { createFrameFetcher } from './shell/frame/fetch-frame.ts';
import { createHistoryPort } from './history/history.ts';
import { createSecretAddresses } from './history/secret-addresses.ts';
import { createBrowserEnvironment } from './shell/app/browser-environment.ts';
import { createLazyMachines } from './shell/app/lazy-machines.ts';
import { provideApp } from './shell/app/provide-app.ts';
import { createSession } from './shell/ports/session.ts';
import { readAppearance } from './storage/appearance.ts';
import { safeSessionStorage } from './storage/storage.ts';
import { createTraceBuffer, onIdleAfterInteraction, hasTrace } from './trace/trace-buffer.ts';
import { chooseFirstLocale, createTranslations } from './shell/ports/language.ts';
import { hydrateOrReplace } from './ssr/hydrate-or-replace.ts';
import { findRedirect, parseRoute } from '../machines/flows/routes.ts';
import { App } from './shell/app/App.tsx';

const locale = chooseFirstLocale();
const i18n = setupI18n();
const { promise: firstScreenReady, resolve: resolveFirstScreenReady } = Promise.withResolvers<void>();
// Parts of a server-rendered screen are hydrated later; changes to them wait for that.
const { promise: hydrated, resolve: resolveHydrated } = Promise.withResolvers<void>();
const environment = createBrowserEnvironment(firstScreenReady.then(() => hydrated));
const lazyMachines = createLazyMachines();
const { activateLanguage, loadFlowTranslations, language } = createTranslations(i18n, environment);
const flows = createFlowFetcher({ environment, parts: allFlowModules, loadFlowTranslations, register: lazyMachines.register });

// Translations, store and first screen load in parallel; rendering waits for the translations.
const translationsLoaded = activateLanguage(locale).catch(() => activateLanguage('en'));
const { flow } = parseRoute(location);
// A failure is ignored here: the app's machine fetches the flow again and shows that failure.
if (flow !== 'invalid') flows.fetchFlow(flow).catch(() => {});

const machine = provideApp({
  environment,
  lazy: lazyMachines,
  history: createHistoryPort({
    secrets: environment.scoped(createSecretAddresses),
    parseRoute,
    findRedirect,
    onLeave: () => whenRecorderLoaded(),
  }),
  session: createSession(environment),
  language,
  ...flows,
  fetchFrame: createFrameFetcher({ ...flows, environment, register: lazyMachines.register, firstFlow: flow }),
});
const supportEmail = document.querySelector<HTMLMetaElement>('meta[name=support]')?.content ?? '';
const input = { locale, appearance: readAppearance(), supportEmail };
const traceBuffer = createTraceBuffer();
const actor = createActor(machine, { ...traceBuffer.options, input }).start();

let recorderPromise: Promise<{ save: () => void }> | undefined;
const loadRecorder = () => {
  recorderPromise ??= import('./trace/keep-trace.ts').then(({ startRecorder }) => startRecorder(traceBuffer, actor, input));
  // If it could not be loaded, the next call retries.
  recorderPromise.catch(() => (recorderPromise = undefined));
  return recorderPromise;
};
const saveRecord = (): void =>
  void loadRecorder().then(
    ({ save }) => save(),
    () => {},
  );

/**
 * Resolves when the recorder is loaded or has failed to load, at the latest after a second: a
 * departure from the shop, such as to the payment page, waits for it.
 */
const whenRecorderLoaded = (): Promise<unknown> =>
  Promise.race([loadRecorder().catch(() => {}), new Promise((resolve) => setTimeout(resolve, 1_000))]);

const root = document.querySelector<HTMLElement>('#root');
if (!root) throw new Error('The page has no #root element.');
const shop = (
  <StrictMode>
    <App actor={actor} i18n={i18n} saveRecord={saveRecord} onFirstScreen={resolveFirstScreenReady} />
  </StrictMode>
);

/**
 * Hydrates a server-rendered screen, or renders the shop into the empty root. The module does not
 * await it: chunks that a server-rendered screen needs import this module, so that awaiting them
 * here would deadlock.
 */
const mountShop = async (): Promise<void> => {
  await translationsLoaded;
  const { rendered } = root.dataset;
  if (rendered !== undefined) {
    return hydrateOrReplace({ root, rendered, app: actor, client: environment, shop, time: traceBuffer.time, resolveHydrated });
  }
  resolveHydrated();
  // The server's title is for visitors without scripts; of two titles, the browser would show the
  // first.
  document.querySelector('title')?.remove();
  // The first render does not block input or the browser's own work.
  startTransition(() => createRoot(root).render(shop));
};
void mountShop();
// The recorder is loaded after the first input or some time after the start, and then records the
// events queued until then. A visit that continues after a reload or a redirect loads it at
// once: it may leave soon again, and a return from the payment page shows no screen before the
// payment is confirmed.
if (hasTrace(safeSessionStorage) || location.search.includes('intentId=')) void loadRecorder();
else onIdleAfterInteraction(() => void loadRecorder());
