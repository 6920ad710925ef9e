import type { Access } from '../../../machines/model/buying/purchase.ts';
import { noAccess } from '../../../machines/path-models/access.ts';
import { i18n } from '@lingui/core';
import { cleanup, render } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, vi } from 'vitest';
import { createActor, type EventObject, type NonReducibleUnknown } from 'xstate';
import { appMachine, type RefusalFact } from '../../../machines/app/app.ts';
import { screenMachine } from '../../../machines/app/screen.ts';
import { bootMachine } from '../../../machines/app/boot.ts';
import { categoriesMachine } from '../../../machines/app/categories.ts';
import { catalogueMachine } from '../../../machines/browsing/catalogue.ts';
import { landingMachine } from '../../../machines/browsing/landing.ts';
import type { OwnedTitle } from '../../../machines/model/buying/purchase.ts';
import type { Carousel } from '../../../machines/model/catalogue/shelves.ts';
import { languageMachine } from '../../../machines/app/language.ts';
import { locationMachine, type HistoryCommand, type HistoryFact } from '../../../machines/app/location.ts';
import { defaultAppearance } from '../../../machines/model/store/appearance.ts';
import { facetsMachine } from '../../../machines/browsing/facets.ts';
import type { Facets, ListQuery } from '../../../machines/model/catalogue/list.ts';
import type { FlowName } from '../../../machines/flows/registry.ts';
import type { Locale } from '../../../machines/model/store/language.ts';
import type { StoreProperties, StoreTexts } from '../../../machines/model/store/store.ts';
import type { Category, Title, TitleType } from '../../../machines/model/catalogue/title.ts';
import { channelPort, requestPort, safePort } from '../../../machines/ports.ts';
import { sessionMachine, type SignedInUser, type TabsFact } from '../../../machines/app/session.ts';
import { sharingMachine, type SharingOptions } from '../../../machines/browsing/sharing.ts';
import { signInMachine } from '../../../machines/account/sign-in.ts';
import { informationMachine, notFoundMachine } from '../../../machines/browsing/static-pages.ts';
import { titleMachine } from '../../../machines/browsing/title.ts';
import type { RelatedTitlesRequest, RelatedShelf, TitleReference } from '../../../machines/browsing/title-setup.ts';
import { pageName as catalogueName } from '../../../src/flows/catalogue/index.ts';
import { pageName as titleName } from '../../../src/flows/title/index.ts';
import { parseRoute } from '../../../machines/flows/routes.ts';
import type { PageName } from '../../../src/views/page-name.ts';
// A lazy chunk in the shop; here it is loaded before a test's fake clock starts.
import '../../../src/views/Markup.tsx';
import { withoutPasskeys } from '../without-passkeys.ts';
import { CatalogueView } from '../../../src/flows/catalogue/CatalogueView.tsx';
import { InformationView } from '../../../src/flows/information/InformationView.tsx';
import { LandingView } from '../../../src/flows/landing/LandingView.tsx';
import { NotFoundView } from '../../../src/flows/not-found/NotFoundView.tsx';
import { createScope } from '../../../src/client/environment/scope.ts';
import { App } from '../../../src/shell/app/App.tsx';
import { registerScreens, type FlowScreens } from '../../../src/shell/app/flow-screens.ts';
import { SignInView } from '../../../src/flows/sign-in/SignInView.tsx';
import { TitleView } from '../../../src/flows/title/TitleView.tsx';
import { categories, fullTitle, store, summaries } from './fixtures.ts';
import { createFrame, type FrameAnswers } from './frame.ts';
import { createListPort, InertObserver, type ListAnswer } from './list.ts';
import { resolvesTo, neverSettles, rejectsWith } from './world.ts';

/** Answers that a test may replace. */
export type ShopAnswers = FrameAnswers & {
  store?: () => Promise<StoreProperties>;
  restoredUser?: () => Promise<SignedInUser | null>;
  categories?: () => Promise<Category[]>;
  carousels?: (input: { types: TitleType[] }) => Promise<Carousel[]>;
  startedTitles?: () => Promise<OwnedTitle[]>;
  titles?: (query: ListQuery) => Promise<ListAnswer>;
  facets?: (input: { query: ListQuery }) => Promise<Facets>;
  title?: (input: TitleReference) => Promise<Title>;
  ownership?: (input: { titleId: string }) => Promise<Access>;
  grant?: (input: { titleId: string }) => Promise<string>;
  related?: (input: RelatedTitlesRequest) => Promise<RelatedShelf[]>;
  comments?: () => Promise<null>;
  ways?: () => Promise<SharingOptions>;
  copy?: () => Promise<null>;
  /** Loads a flow's chunk. */
  fetchFlow?: (input: { flow: FlowName }) => Promise<null>;
};

const shareMethods: SharingOptions = { link: 'https://shop.example/id:1/The-Ferry-Ledger', sharesHere: false };
const carousel: Carousel = { type: 'all', titles: summaries, total: 24 };
const page: ListAnswer = {
  titles: summaries,
  total: summaries.length,
  hasMore: false,
  categoryName: null,
  categoryId: null,
};

vi.stubGlobal('ResizeObserver', InertObserver);

const createRequestPort = <Output, Input extends NonReducibleUnknown = undefined>(request: (input: Input) => Promise<Output>) =>
  requestPort<Output, Input>(({ input }) => request(input));

/** Screens by flow; the chunk of a flow that is missing here never loads. */
const flowScreens: Partial<Record<FlowName, FlowScreens>> = {
  landing: LandingView,
  catalogue: CatalogueView,
  title: TitleView,
  information: InformationView,
  notFound: NotFoundView,
  signIn: SignInView,
};

/** Names of the pages in the window's title. */
const pageNames: Partial<Record<FlowName, PageName<never>>> = {
  catalogue: catalogueName,
  title: titleName,
};

const fetchFlow = async ({ flow }: { flow: FlowName }): Promise<null> => {
  const view = flowScreens[flow];
  if (view === undefined) return neverSettles();
  registerScreens(flow, view, pageNames[flow]);
  return null;
};

afterEach(cleanup);

/** Opens the whole shop at a path, with an in-memory history and an API that answers at once. */
export const openShop = (path: string, answers: ShopAnswers = {}) => {
  i18n.loadAndActivate({ locale: 'en', messages: {} });
  const visitedPaths: string[] = [];
  const history = channelPort<HistoryCommand, HistoryFact>(({ sendBack, receive }) => {
    const report = (to: string) => {
      const { pathname, search } = new URL(to, 'https://shop.example');
      sendBack({ type: 'history.changed', route: parseRoute({ pathname, search }) });
    };
    receive((command) => {
      if (command.type === 'history.leave') return;
      visitedPaths.push(command.to);
      report(command.to);
    });
    report(path);
  });
  const scope = createScope({});
  let refuse: (fact: RefusalFact) => void = () => {};
  const app = createActor(
    appMachine.provide({
      actors: {
        boot: bootMachine.provide({ actors: { storeProperties: createRequestPort(answers.store ?? resolvesTo(store)) } }),
        location: locationMachine.provide({ actors: { history } }),
        session: sessionMachine.provide({
          actors: {
            restoreSession: createRequestPort(answers.restoredUser ?? resolvesTo(null)),
            forgetSession: safePort(resolvesTo(null), () => null),
            tabs: channelPort<EventObject, TabsFact>(() => {}),
          },
        }),
        language: languageMachine.provide({
          actors: { loadLanguage: createRequestPort<StoreTexts, { locale: Locale }>(resolvesTo({ store, categories })) },
        }),
        refusals: channelPort<EventObject, RefusalFact>(({ sendBack }) => {
          refuse = sendBack;
        }),
        fetchFrame: safePort(resolvesTo(null), () => null),
        frame: createFrame(answers, scope),
        categories: categoriesMachine.provide({
          actors: { categoryTree: createRequestPort(answers.categories ?? resolvesTo(categories)) },
        }),
        screen: screenMachine.provide({
          actors: {
            fetchFlow: createRequestPort<null, { flow: FlowName; isRetry: boolean }>(answers.fetchFlow ?? fetchFlow),
            information: informationMachine,
            notFound: notFoundMachine,
            signIn: signInMachine.provide({ actors: { passkey: withoutPasskeys } }),
            landing: landingMachine.provide({
              actors: {
                carousels: createRequestPort(answers.carousels ?? resolvesTo([carousel])),
                startedTitles: createRequestPort(answers.startedTitles ?? resolvesTo([])),
              },
            }),
            catalogue: catalogueMachine.provide({
              actors: {
                list: createListPort(answers.titles ?? resolvesTo(page)),
                facets: facetsMachine.provide({
                  actors: {
                    facets: createRequestPort<Facets, { query: ListQuery }>(answers.facets ?? rejectsWith({ kind: 'offline' })),
                  },
                }),
              },
            }),
            title: titleMachine.provide({
              actors: {
                title: createRequestPort(answers.title ?? resolvesTo(fullTitle)),
                ownership: createRequestPort(answers.ownership ?? resolvesTo(noAccess)),
                grant: createRequestPort(answers.grant ?? neverSettles),
                relatedInView: channelPort<EventObject, { type: 'related.nearViewport' }>(({ sendBack }) =>
                  sendBack({ type: 'related.nearViewport' }),
                ),
                related: createRequestPort(
                  answers.related ?? resolvesTo<RelatedShelf[]>([{ kind: 'similar', titles: summaries.slice(1) }]),
                ),
                commentsInView: channelPort<EventObject, { type: 'comments.nearViewport' }>(({ sendBack }) =>
                  sendBack({ type: 'comments.nearViewport' }),
                ),
                comments: createRequestPort(answers.comments ?? resolvesTo(null)),
                sharing: sharingMachine.provide({
                  actors: {
                    ways: safePort(answers.ways ?? resolvesTo(shareMethods), () => shareMethods),
                    copy: createRequestPort(answers.copy ?? resolvesTo(null)),
                  },
                }),
              },
            }),
          },
        }),
      },
    }),
    { input: { locale: 'en', appearance: defaultAppearance, supportEmail: '' } },
  ).start();
  const saveRecord = vi.fn();
  const { container } = render(<App actor={app} i18n={i18n} saveRecord={saveRecord} />);
  const readFlowState = (flow: string): unknown =>
    JSON.parse(container.querySelector(`[data-flow="${flow}"]`)?.getAttribute('data-state') ?? 'null');
  return {
    app,
    container,
    visitedPaths,
    scoped: scope.scoped,
    saveRecord,
    readFlowState,
    refuse: (fact: RefusalFact) => refuse(fact),
    user: userEvent.setup(),
  };
};
