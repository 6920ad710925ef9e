import { parseAppearance } from '../../machines/model/store/appearance.ts';
import { type I18n, setupI18n } from '@lingui/core';
import { createActor, type EventObject } from 'xstate';
import type { HistoryCommand, HistoryFact } from '../../machines/app/location.ts';
import { sessionMachine, type SignedInUser, type TabsFact } from '../../machines/app/session.ts';
import type { Locale } from '../../machines/model/store/language.ts';
import { channelPort, requestPort, safePort } from '../../machines/ports.ts';
import { loadConfig } from '../client/wire/config.ts';
import { createScope } from '../client/environment/scope.ts';
import { createShopClient, type ShopClientOptions } from '../client/wire/shop-client.ts';
import { parseRoute } from '../../machines/flows/routes.ts';
import { createCategoryTree } from '../shell/navigation/category-tree.ts';
import { createFlowFetcher, type FlowModules } from '../shell/app/fetch-flow.ts';
import { createTranslations } from '../shell/ports/language.ts';
import { createLazyMachines } from '../shell/app/lazy-machines.ts';
import { provideApp } from '../shell/app/provide-app.ts';
import type { AppEnvironment, EnvironmentParts } from '../shell/app/environment.ts';
import type { AppActor } from '../views/app-actor.ts';

/**
 * A promise that never settles, a new one for each visit: a shared one would retain the reactions
 * of every visit (a memory leak).
 */
const createPendingPromise = (): Promise<never> => new Promise(() => {});

type VisitRequest = { config: unknown; origin: string; pathname: string; search: string; language: string };

/**
 * The environment of a visitor whose address never changes: without a session, and with no element
 * in view.
 */
export const createVisitorEnvironment = (
  { config, origin, pathname, search, language }: VisitRequest,
  send: ShopClientOptions['send'],
): AppEnvironment => {
  const client = createShopClient({
    loadConfig: () => loadConfig(config),
    send,
    token: () => null,
    expireSession: () => {},
    spokenLanguage: () => language,
    report: () => {},
    origin,
  });
  return createScope<EnvironmentParts>({
    ...client,
    ...createCategoryTree(client),
    address: () => ({ pathname, search }),
    showIcon: () => {},
    declareLanguage: () => {},
    scrolling: { read: () => ({ y: 0, titles: 0, isReturn: false }), keepCount: () => {}, follow: () => () => {} },
    firstScreenReady: createPendingPromise(),
  });
};

const visitorSessionMachine = sessionMachine.provide({
  actors: {
    restoreSession: requestPort<SignedInUser | null>(async () => null),
    forgetSession: safePort<null>(
      async () => null,
      () => null,
    ),
    tabs: channelPort<EventObject, TabsFact>(() => {}),
  },
});

/** A clock whose timers never fire: delayed messages are left to the browser. */
const stoppedClock = { setTimeout: () => null, clearTimeout: () => {} };

type Visit = {
  environment: AppEnvironment;
  parts: FlowModules;
  language: Locale;
  look: string;
  supportEmail: string;
  /** Called when the shop wants to navigate to another page. */
  leave?: () => void;
};

/** Starts the shop's machine for a visitor; timers never fire and the frame is never loaded. */
export const startVisit = async ({
  environment,
  parts,
  language: locale,
  look,
  supportEmail,
  leave = () => {},
}: Visit): Promise<{ actor: AppActor; i18n: I18n }> => {
  const i18n = setupI18n();
  const lazy = createLazyMachines();
  const { activateLanguage, loadFlowTranslations, language } = createTranslations(i18n, environment);
  const flows = createFlowFetcher({ environment, parts, loadFlowTranslations, register: lazy.register });
  const history = channelPort<HistoryCommand, HistoryFact>(({ sendBack, receive }) => {
    receive(leave);
    sendBack({ type: 'history.changed', route: parseRoute(environment.address()) });
  });
  const machine = provideApp({
    environment,
    lazy,
    history,
    session: visitorSessionMachine,
    language,
    ...flows,
    fetchFrame: createPendingPromise,
  });
  await activateLanguage(locale);
  const input = { locale, appearance: parseAppearance(look), supportEmail };
  return { actor: createActor(machine, { input, clock: stoppedClock }).start(), i18n };
};
