import type { Access } from '../../../machines/model/buying/purchase.ts';
import { notTheirs } from '../../../machines/path-models/access.ts';
import { i18n } from '@lingui/core';
import { cleanup, render } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, vi } from 'vitest';
import { createActor, type EventObject, type NonReducibleUnknown } from 'xstate';
import { appMachine } from '../../../machines/app/app.ts';
import type { RefusalFact } from '../../../machines/app/app.ts';
import { screenMachine } from '../../../machines/app/screen.ts';
import { bootMachine } from '../../../machines/app/boot.ts';
import { categoriesMachine } from '../../../machines/app/categories.ts';
import { catalogueMachine } from '../../../machines/browsing/catalogue.ts';
import { landingMachine } from '../../../machines/browsing/landing.ts';
import type { OwnedTitle } from '../../../machines/model/buying/purchase.ts';
import type { Carousel } from '../../../machines/model/catalogue/shelves.ts';
import { languageMachine } from '../../../machines/app/language.ts';
import { locationMachine, type HistoryCommand, type HistoryFact } from '../../../machines/app/location.ts';
import { usualAppearance } from '../../../machines/model/store/appearance.ts';
import { facetsMachine } from '../../../machines/browsing/facets.ts';
import type { Facets, ListQuery } from '../../../machines/model/catalogue/list.ts';
import type { FlowName } from '../../../machines/flows/registry.ts';
import type { Locale } from '../../../machines/model/store/language.ts';
import type { StoreProperties, StoreWords } from '../../../machines/model/store/store.ts';
import type { Category, Title, TitleType } from '../../../machines/model/catalogue/title.ts';
import { channelPort, requestPort, safePort } from '../../../machines/ports.ts';
import { sessionMachine, type SignedIn, type TabsFact } from '../../../machines/app/session.ts';
import { sharingMachine, type Ways } from '../../../machines/browsing/sharing.ts';
import { signInMachine } from '../../../machines/account/sign-in.ts';
import { informationMachine, notFoundMachine } from '../../../machines/browsing/static-pages.ts';
import { titleMachine } from '../../../machines/browsing/title.ts';
import type { OtherTitles, Shelf, TitleReference } from '../../../machines/browsing/title-setup.ts';
import { pageName as catalogueName } from '../../../src/flows/catalogue/index.ts';
import { pageName as titleName } from '../../../src/flows/title/index.ts';
import { routeOf } from '../../../machines/flows/routes.ts';
import type { PageName } from '../../../src/views/page-name.ts';
// Fetched late by the shop; here it is there before the clock of a test starts.
import '../../../src/views/Markup.tsx';
import { withoutPasskeys } from '../without-passkeys.ts';
import { CatalogueView } from '../../../src/flows/catalogue/CatalogueView.tsx';
import { InformationView } from '../../../src/flows/information/InformationView.tsx';
import { LandingView } from '../../../src/flows/landing/LandingView.tsx';
import { NotFoundView } from '../../../src/flows/not-found/NotFoundView.tsx';
import { owning } from '../../../src/client/world/own.ts';
import { App } from '../../../src/shell/app/App.tsx';
import { keepScreens, type FlowScreens } from '../../../src/shell/app/flow-screens.ts';
import { SignInView } from '../../../src/flows/sign-in/SignInView.tsx';
import { TitleView } from '../../../src/flows/title/TitleView.tsx';
import { categories, fullTitle, store, summaries } from './fixtures.ts';
import { frameOf, type FrameWorld } from './frame.ts';
import { listPort, StillObserver, type ListAnswer } from './list.ts';
import { gives, never, refuses } from './world.ts';

/** What a test may answer in the world's stead. */
export type World = FrameWorld & {
  store?: () => Promise<StoreProperties>;
  restored?: () => Promise<SignedIn | null>;
  categories?: () => Promise<Category[]>;
  carousels?: (input: { types: TitleType[] }) => Promise<Carousel[]>;
  begun?: () => Promise<OwnedTitle[]>;
  titles?: (query: ListQuery) => Promise<ListAnswer>;
  facets?: (input: { query: ListQuery }) => Promise<Facets>;
  title?: (input: TitleReference) => Promise<Title>;
  ownership?: (input: { titleId: string }) => Promise<Access>;
  grant?: (input: { titleId: string }) => Promise<string>;
  related?: (input: OtherTitles) => Promise<Shelf[]>;
  comments?: () => Promise<null>;
  ways?: () => Promise<Ways>;
  copy?: () => Promise<null>;
  /** Fetches a flow's part of the program. */
  fetchFlow?: (input: { flow: FlowName }) => Promise<null>;
};

const ways: Ways = { link: 'https://shop.example/id:1/The-Ferry-Ledger', sharesHere: false };
const carousel: Carousel = { type: 'all', titles: summaries, total: 24 };
const page: ListAnswer = {
  titles: summaries,
  total: summaries.length,
  hasMore: false,
  categoryName: null,
  categoryId: null,
};

vi.stubGlobal('ResizeObserver', StillObserver);

const asking = <Output, Input extends NonReducibleUnknown = undefined>(ask: (input: Input) => Promise<Output>) =>
  requestPort<Output, Input>(({ input }) => ask(input));

/** A shop that is to show another flow fetches it for ever. */
const screens: Partial<Record<FlowName, FlowScreens>> = {
  landing: LandingView,
  catalogue: CatalogueView,
  title: TitleView,
  information: InformationView,
  notFound: NotFoundView,
  signIn: SignInView,
};

/** What they are called in the window's title. */
const names: Partial<Record<FlowName, PageName<never>>> = {
  catalogue: catalogueName,
  title: titleName,
};

const fetchFlow = async ({ flow }: { flow: FlowName }): Promise<null> => {
  const view = screens[flow];
  if (view === undefined) return never();
  keepScreens(flow, view, names[flow]);
  return null;
};

afterEach(cleanup);

/** Opens the whole shop at a path, on a history in memory and in a world that answers at once. */
export const openShop = (path: string, world: World = {}) => {
  i18n.loadAndActivate({ locale: 'en', messages: {} });
  const visited: string[] = [];
  const history = channelPort<HistoryCommand, HistoryFact>(({ sendBack, receive }) => {
    const report = (to: string) => {
      const { pathname, search } = new URL(to, 'https://shop.example');
      sendBack({ type: 'history.changed', route: routeOf({ pathname, search }) });
    };
    receive((command) => {
      if (command.type === 'history.leave') return;
      visited.push(command.to);
      report(command.to);
    });
    report(path);
  });
  const shared = owning({});
  let refuse: (fact: RefusalFact) => void = () => {};
  const app = createActor(
    appMachine.provide({
      actors: {
        boot: bootMachine.provide({ actors: { storeProperties: asking(world.store ?? gives(store)) } }),
        location: locationMachine.provide({ actors: { history } }),
        session: sessionMachine.provide({
          actors: {
            restoreSession: asking(world.restored ?? gives(null)),
            forgetSession: safePort(gives(null), () => null),
            tabs: channelPort<EventObject, TabsFact>(() => {}),
          },
        }),
        language: languageMachine.provide({
          actors: { loadLanguage: asking<StoreWords, { locale: Locale }>(gives({ store, categories })) },
        }),
        refusals: channelPort<EventObject, RefusalFact>(({ sendBack }) => {
          refuse = sendBack;
        }),
        fetchFrame: safePort(gives(null), () => null),
        frame: frameOf(world, shared),
        categories: categoriesMachine.provide({ actors: { categoryTree: asking(world.categories ?? gives(categories)) } }),
        screen: screenMachine.provide({
          actors: {
            fetchFlow: asking<null, { flow: FlowName; isRetry: boolean }>(world.fetchFlow ?? fetchFlow),
            information: informationMachine,
            notFound: notFoundMachine,
            signIn: signInMachine.provide({ actors: { passkey: withoutPasskeys } }),
            landing: landingMachine.provide({
              actors: { carousels: asking(world.carousels ?? gives([carousel])), begun: asking(world.begun ?? gives([])) },
            }),
            catalogue: catalogueMachine.provide({
              actors: {
                list: listPort(world.titles ?? gives(page)),
                facets: facetsMachine.provide({
                  actors: { facets: asking<Facets, { query: ListQuery }>(world.facets ?? refuses({ kind: 'offline' })) },
                }),
              },
            }),
            title: titleMachine.provide({
              actors: {
                title: asking(world.title ?? gives(fullTitle)),
                ownership: asking(world.ownership ?? gives(notTheirs)),
                grant: asking(world.grant ?? never),
                relatedInView: channelPort<EventObject, { type: 'related.near' }>(({ sendBack }) =>
                  sendBack({ type: 'related.near' }),
                ),
                related: asking(world.related ?? gives<Shelf[]>([{ kind: 'similar', titles: summaries.slice(1) }])),
                commentsInView: channelPort<EventObject, { type: 'comments.near' }>(({ sendBack }) =>
                  sendBack({ type: 'comments.near' }),
                ),
                comments: asking(world.comments ?? gives(null)),
                sharing: sharingMachine.provide({
                  actors: {
                    ways: safePort(world.ways ?? gives(ways), () => ways),
                    copy: asking(world.copy ?? gives(null)),
                  },
                }),
              },
            }),
          },
        }),
      },
    }),
    { input: { locale: 'en', appearance: usualAppearance, supportEmail: '' } },
  ).start();
  const saveRecord = vi.fn();
  const { container } = render(<App actor={app} i18n={i18n} saveRecord={saveRecord} />);
  const stateOf = (flow: string): unknown =>
    JSON.parse(container.querySelector(`[data-flow="${flow}"]`)?.getAttribute('data-state') ?? 'null');
  return {
    app,
    container,
    visited,
    own: shared.own,
    saveRecord,
    stateOf,
    refuse: (fact: RefusalFact) => refuse(fact),
    user: userEvent.setup(),
  };
};
