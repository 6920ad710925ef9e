import createCache from '@emotion/cache';
import { CacheProvider } from '@emotion/react';
import { setupI18n } from '@lingui/core';
import { StrictMode } from 'react';
import { prerender } from 'react-dom/static';
import * as v from 'valibot';
import { createActor, type EventObject } from 'xstate';
import type { HistoryCommand, HistoryFact } from '../../machines/app/location.ts';
import { sessionMachine, type SignedIn, type TabsFact } from '../../machines/app/session.ts';
import { Locale } from '../../machines/model/language.ts';
import type { PaintAnswer, PaintCall, Painted, PaintTask } from '../../machines/model/painting.ts';
import { channelPort, requestPort, safePort } from '../../machines/ports.ts';
import { routeOf } from '../flows/routes.ts';
import { App } from '../shell/App.tsx';
import { appearanceOf } from '../storage/appearance.ts';
import { flowFetcher, type Parts } from '../shell/fetch-flow.ts';
import { translationsOf } from '../shell/language.ts';
import { createLateMachines } from '../shell/late-machines.ts';
import { provideApp } from '../shell/provide-app.ts';
import { isAtRest, isWhole, screenKey, whenAtRest } from './at-rest.ts';
import type { AppActor, ScreenActor } from '../views/app-actor.ts';
import { createServerWorld } from './server-world.ts';
import { stylesOf } from './styles.ts';

/** Flows whose first screen may come painted; their definitions say so, too (`painted`). */
const parts: Parts = import.meta.glob([
  '../flows/{landing,catalogue,title,information,page,campaign,subscription,not-found}/index.{ts,tsx}',
]) as Parts;

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

/** Whether a screen is shown; what leads to another page has none. */
const isShown = (app: AppActor): boolean => {
  const screen = app.getSnapshot().children.screen as ScreenActor | undefined;
  return screen?.getSnapshot().matches('showing') === true;
};

/** No time passes in a page that is painted: what is said after a while is said in the browser. */
const stopped = { setTimeout: () => null, clearTimeout: () => {} };

/** Milliseconds that a screen may take to come to rest. */
const longest = 2_000;

/** What React and the head of the page both say leads the markup: titles and hints of what to fetch. */
const inHead = /^(?:<title>[^<]*<\/title>|<link\b[^>]*>|<meta\b[^>]*>)+/;

/**
 * Runs the shop's machine for a visitor's address until it has nothing left to do, and draws the screen that it stands at.
 * @param call asks this server's own API
 * @returns null for an address whose screen is not one that this server may paint
 */
export async function paint(task: PaintTask, call: (call: PaintCall) => Promise<PaintAnswer>): Promise<Painted | null> {
  const { pathname, search, supportEmail } = task;
  const [locale, appearance] = [v.parse(Locale, task.language), appearanceOf(task.look)];
  const world = createServerWorld(task, call);
  const i18n = setupI18n();
  const late = createLateMachines();
  const { activateLanguage, loadFlowTranslations, language } = translationsOf(i18n, world);
  const flows = flowFetcher({ world, parts, loadFlowTranslations, register: late.register });
  const elsewhere = new AbortController();
  const history = channelPort<HistoryCommand, HistoryFact>(({ sendBack, receive }) => {
    receive(() => elsewhere.abort());
    sendBack({ type: 'history.changed', route: routeOf({ pathname, search }) });
  });
  const machine = provideApp({ world, late, history, session: visitor, language, ...flows, fetchFrame: () => never });
  await activateLanguage(locale);
  const actor = createActor(machine, { input: { locale, appearance, supportEmail }, clock: stopped }).start();
  try {
    await whenAtRest(actor, world, AbortSignal.any([elsewhere.signal, AbortSignal.timeout(longest)])).catch(() => undefined);
    // What failed is for the browser to ask again; what leads elsewhere, or takes long, is for it to follow.
    if (!isAtRest(actor) || !isShown(actor) || !isWhole(actor)) return null;
    const key = screenKey(actor);
    const failures: unknown[] = [];
    const cache = createCache({ key: 'css' });
    cache.compat = true;
    const { prelude } = await prerender(
      <CacheProvider value={cache}>
        <StrictMode>
          <App actor={actor} i18n={i18n} saveRecord={() => {}} />
        </StrictMode>
      </CacheProvider>,
      // A boundary that were sent behind the rest would need a script to be put in its place.
      { progressiveChunkSize: Number.POSITIVE_INFINITY, onError: (error) => void failures.push(error) },
    );
    const html = (await new Response(prelude).text()).replace(inHead, '');
    if (failures.length > 0) throw failures[0];
    return { html, styles: stylesOf(cache), key, answers: world.answers };
  } finally {
    actor.stop();
  }
}
