import { setupI18n } from '@lingui/core';
import { startTransition, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createActor } from 'xstate';
import { allParts, flowFetcher } from './shell/app/fetch-flow.ts';
import { frameFetcher } from './shell/frame/fetch-frame.ts';
import { historyPort } from './history/history.ts';
import { withheld } from './history/withheld.ts';
import { createBrowserWorld } from './shell/app/browser-world.ts';
import { createLateMachines } from './shell/app/late-machines.ts';
import { provideApp } from './shell/app/provide-app.ts';
import { sessionIn } from './shell/ports/session.ts';
import { firstAppearance } from './storage/appearance.ts';
import { safeSessionStorage } from './storage/storage.ts';
import { createTraceBuffer, afterInteraction, hasTrace } from './trace/trace-buffer.ts';
import { firstLocale, translationsOf } from './shell/ports/language.ts';
import { takeOver } from './painting/take-over.ts';
import { redirectOf, routeOf } from '../machines/flows/routes.ts';
import { App } from './shell/app/App.tsx';

const locale = firstLocale();
const i18n = setupI18n();
const { promise: stands, resolve: tellThatItStands } = Promise.withResolvers<void>();
// Of a painted screen parts are hydrated later; what changes them has to wait for that.
const { promise: hydrated, resolve: tellThatItIsHydrated } = Promise.withResolvers<void>();
const world = createBrowserWorld(stands.then(() => hydrated));
const late = createLateMachines();
const { activateLanguage, loadFlowTranslations, language } = translationsOf(i18n, world);
const flows = flowFetcher({ world, parts: allParts, loadFlowTranslations, register: late.register });

// Translations, store and first screen are fetched side by side; nothing is drawn before the translations are there.
const translated = activateLanguage(locale).catch(() => activateLanguage('en'));
const { flow } = routeOf(location);
// A failure is ignored here: the app's machine fetches the flow again and shows if that fails.
if (flow !== 'invalid') flows.fetchFlow(flow).catch(() => {});

const machine = provideApp({
  world,
  late,
  history: historyPort({ withheld: world.own(withheld), routeOf, redirectOf, recorded: () => recorded() }),
  session: sessionIn(world),
  language,
  ...flows,
  fetchFrame: frameFetcher({ ...flows, world, register: late.register, first: flow }),
});
const supportEmail = document.querySelector<HTMLMetaElement>('meta[name=support]')?.content ?? '';
const input = { locale, appearance: firstAppearance(), supportEmail };
const buffer = createTraceBuffer();
const actor = createActor(machine, { ...buffer.options, input }).start();

let keeping: Promise<{ save: () => void }> | undefined;
const keep = () => {
  keeping ??= import('./trace/keep-trace.ts').then(({ keepTrace }) => keepTrace(buffer, actor, input));
  // If it could not be fetched, the next call fetches it again.
  keeping.catch(() => (keeping = undefined));
  return keeping;
};
const saveRecord = (): void =>
  void keep().then(
    ({ save }) => save(),
    () => {},
  );

/** The recorder is there; it keeps nobody from the payment page who has waited a second for it. */
const recorded = (): Promise<unknown> =>
  Promise.race([keep().catch(() => {}), new Promise((resolve) => setTimeout(resolve, 1_000))]);

const root = document.querySelector<HTMLElement>('#root');
if (!root) throw new Error('The page has no #root element.');
const shop = (
  <StrictMode>
    <App actor={actor} i18n={i18n} saveRecord={saveRecord} stands={tellThatItStands} />
  </StrictMode>
);

/** Not awaited by the module: parts that a painted screen waits for import it, and would wait for it in turn. */
const draw = async (): Promise<void> => {
  await translated;
  const { painted } = root.dataset;
  if (painted !== undefined) {
    return takeOver({ root, painted, app: actor, client: world, shop, time: buffer.time, tellThatItIsHydrated });
  }
  tellThatItIsHydrated();
  // The server's title is for visitors without scripts; with two titles in the page, the browser would show the first.
  document.querySelector('title')?.remove();
  // The first render lets input and the browser's own work through.
  startTransition(() => createRoot(root).render(shop));
};
void draw();
// Nobody waits for the recorder: it comes at the first press, or when the first screen has stood for a while, and writes
// down what was heard until then. A visit that goes on has it already, and may be on its way elsewhere soon: who comes
// back from the payment page sees no screen before the payment is confirmed.
if (hasTrace(safeSessionStorage) || location.search.includes('intentId=')) void keep();
else afterInteraction(() => void keep());
