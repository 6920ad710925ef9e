import { setupI18n } from '@lingui/core';
import { startTransition, StrictMode } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { createActor } from 'xstate';
import { allParts, flowFetcher } from './shell/fetch-flow.ts';
import { frameFetcher } from './shell/fetch-frame.ts';
import { historyPort } from './history/history.ts';
import { createBrowserWorld } from './shell/browser-world.ts';
import { createLateMachines } from './shell/late-machines.ts';
import { provideApp } from './shell/provide-app.ts';
import { sessionIn } from './shell/session.ts';
import { firstAppearance } from './storage/appearance.ts';
import { safeSessionStorage } from './storage/storage.ts';
import { createTraceBuffer, afterInteraction, hasTrace } from './trace/trace-buffer.ts';
import { firstLocale, translationsOf } from './shell/language.ts';
import { redirectOf, routeOf } from './flows/routes.ts';
import { screenKey, whenAtRest } from './painting/at-rest.ts';
import { App } from './shell/App.tsx';

const locale = firstLocale();
const i18n = setupI18n();
const { promise: stands, resolve: tellThatItStands } = Promise.withResolvers<void>();
const world = createBrowserWorld(stands);
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
  history: historyPort({ routeOf, redirectOf }),
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

const root = document.querySelector<HTMLElement>('#root');
if (!root) throw new Error('The page has no #root element.');
/** What the painted page's own script has kept (`server/web/page-parts.ts`). */
type Early = { presses?: HTMLElement[]; keepPress?: (event: Event) => void };
/** It is for visitors without scripts; with two titles in the page, the browser would show the first. */
const dropServersTitle = (): void => document.querySelector('title')?.remove();
const shop = (
  <StrictMode>
    <App actor={actor} i18n={i18n} saveRecord={saveRecord} stands={tellThatItStands} />
  </StrictMode>
);
/** Makes good what was pressed before there was a program. */
const takeOver = (): void => {
  buffer.time.letGo();
  // One with the shop's own words has become its own.
  if (document.querySelectorAll('title').length > 1) dropServersTitle();
  const { presses = [], keepPress } = globalThis as Early;
  if (keepPress) removeEventListener('click', keepPress, true);
  for (const pressed of presses.splice(0)) {
    const { event } = pressed.dataset;
    const button = pressed.isConnected ? pressed : document.querySelector<HTMLElement>(`button[data-event="${event}"]`);
    button?.click();
  }
};
/** Not awaited by the module: the parts that the first screen waits for import it, and would wait for it in turn. */
const draw = async (): Promise<void> => {
  await translated;
  const { painted } = root.dataset;
  // What the server has painted stands until the shop is where that was painted, or rests elsewhere.
  if (painted === undefined) dropServersTitle();
  else {
    await whenAtRest(actor, world);
    // React draws in pieces, between which the screen must stay the same.
    buffer.time.hold();
    void stands.then(takeOver);
  }
  // The first render lets input and the browser's own work through.
  startTransition(() => {
    if (painted === screenKey(actor)) hydrateRoot(root, shop);
    else createRoot(root).render(shop);
  });
};
void draw();
// Nobody waits for the recorder: it comes at the first press, or when the first screen has stood for a while, and writes
// down what was heard until then. A visit that goes on has it already, and may be on its way elsewhere soon: who comes
// back from the payment page sees no screen before the payment is confirmed.
if (hasTrace(safeSessionStorage) || location.search.includes('intentId=')) void keep();
else afterInteraction(() => void keep());
