import { appearanceOf } from '../../machines/model/store/appearance.ts';
import { setupI18n, type I18n } from '@lingui/core';
import { createActor, type EventObject } from 'xstate';
import type { HistoryCommand, HistoryFact } from '../../machines/app/location.ts';
import { sessionMachine, type SignedIn, type TabsFact } from '../../machines/app/session.ts';
import type { Locale } from '../../machines/model/store/language.ts';
import { channelPort, requestPort, safePort } from '../../machines/ports.ts';
import { loadConfig } from '../client/wire/config.ts';
import { owning } from '../client/world/own.ts';
import { createShopClient, type ClientParts } from '../client/wire/shop-client.ts';
import { routeOf } from '../../machines/flows/routes.ts';
import { categoryTreeOf } from '../shell/navigation/category-tree.ts';
import { flowFetcher, type Parts } from '../shell/app/fetch-flow.ts';
import { translationsOf } from '../shell/ports/language.ts';
import { createLateMachines } from '../shell/app/late-machines.ts';
import { provideApp } from '../shell/app/provide-app.ts';
import type { World, WorldParts } from '../shell/app/world.ts';
import type { AppActor } from '../views/app-actor.ts';

/**
 * A new promise for each visit: a promise holds all that waits for it, and a shared one that never
 * settles would hold every visit for good.
 */
const never = (): Promise<never> => new Promise(() => {});

type Visited = { config: unknown; origin: string; pathname: string; search: string; language: string };

/** The world of a visitor whose address never changes: nobody is signed in, and nothing ever stands in a window. */
export const visitorWorld = ({ config, origin, pathname, search, language }: Visited, send: ClientParts['send']): World => {
  const client = createShopClient({
    loadConfig: () => loadConfig(config),
    send,
    token: () => null,
    expireSession: () => {},
    spokenLanguage: () => language,
    report: () => {},
    origin,
  });
  return owning<WorldParts>({
    ...client,
    ...categoryTreeOf(client),
    address: () => ({ pathname, search }),
    showIcon: () => {},
    declareLanguage: () => {},
    scrolling: { saved: () => ({ y: 0, titles: 0, isReturn: false }), keepCount: () => {}, follow: () => () => {} },
    stands: never(),
  });
};

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

/** No time passes in a page that is painted: what is said after a while is said in the browser. */
const stopped = { setTimeout: () => null, clearTimeout: () => {} };

type Visit = {
  world: World;
  parts: Parts;
  language: Locale;
  look: string;
  supportEmail: string;
  /** Is called when the shop wants to lead to another page. */
  leave?: () => void;
};

/** Starts the shop's machine for a visitor, in whose page no time passes and no frame comes. */
export const startVisit = async ({
  world,
  parts,
  language: locale,
  look,
  supportEmail,
  leave = () => {},
}: Visit): Promise<{ actor: AppActor; i18n: I18n }> => {
  const i18n = setupI18n();
  const late = createLateMachines();
  const { activateLanguage, loadFlowTranslations, language } = translationsOf(i18n, world);
  const flows = flowFetcher({ world, parts, loadFlowTranslations, register: late.register });
  const history = channelPort<HistoryCommand, HistoryFact>(({ sendBack, receive }) => {
    receive(leave);
    sendBack({ type: 'history.changed', route: routeOf(world.address()) });
  });
  const machine = provideApp({ world, late, history, session: visitor, language, ...flows, fetchFrame: never });
  await activateLanguage(locale);
  const input = { locale, appearance: appearanceOf(look), supportEmail };
  return { actor: createActor(machine, { input, clock: stopped }).start(), i18n };
};
