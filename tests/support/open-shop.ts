import type { Access } from '../../machines/model/buying/purchase.ts';
import { noAccess } from '../../machines/path-models/access.ts';
import { createActor, type ActorRefFrom, type EventObject } from 'xstate';
import type { appMachine, RefusalFact } from '../../machines/app/app.ts';
import type { screenMachine } from '../../machines/app/screen.ts';
import { bootMachine } from '../../machines/app/boot.ts';
import { categoriesMachine } from '../../machines/app/categories.ts';
import type { Offer, OfferRequest } from '../../machines/buying/purchase/offer.ts';
import { purchaseMachine } from '../../machines/buying/purchase/purchase.ts';
import { locationMachine, type HistoryCommand, type HistoryFact } from '../../machines/app/location.ts';
import { defaultAppearance } from '../../machines/model/store/appearance.ts';
import type { FlowName } from '../../machines/flows/registry.ts';
import type { PaidFor, PaymentSession } from '../../machines/model/buying/purchase.ts';
import type { StoreProperties } from '../../machines/model/store/store.ts';
import type { Category, Title } from '../../machines/model/catalogue/title.ts';
import { paymentMachine } from '../../machines/buying/payment.ts';
import type { Confirmation, OpenOrder, Order, PurchaseState } from '../../machines/buying/payment-setup.ts';
import { channelPort, requestPort, safePort } from '../../machines/ports.ts';
import { shopMachine, shopScreenMachine } from '../../machines/app/shop.ts';
import { sessionMachine, type SignedInUser, type TabsFact } from '../../machines/app/session.ts';
import { sharingMachine, type SharedTitle, type SharingOptions } from '../../machines/browsing/sharing.ts';
import { signInMachine } from '../../machines/account/sign-in.ts';
import { titleMachine } from '../../machines/browsing/title.ts';
import type { RelatedTitlesRequest, RelatedShelf, TitleReference } from '../../machines/browsing/title-setup.ts';
import type { TapOptions } from '../../machines/trace/tap.ts';
import { parseRoute } from '../../machines/flows/routes.ts';
import { store, title } from '../../machines/path-models/path-model.ts';
import { withoutPasskeys } from './without-passkeys.ts';
import { makeTitleOffer } from './purchase.ts';

/** Input of the app's machine at its start. */
export const appInput = { locale: 'en' as const, appearance: defaultAppearance, supportEmail: '' };

export const customer = { userId: 'u1', pii: { email: 'reader@example.com' } };
export const form = { email: 'reader@example.com', password: 'harbour light', remember: true };

const shareMethods: SharingOptions = { link: 'https://shop.example/id:1001', sharesHere: false };

/**
 * The whole shop with an in-memory history and an API that answers at once; some answers can be
 * replaced.
 */
export const openShop = (
  start: string,
  answers: {
    restoredUser?: SignedInUser | null;
    store?: () => Promise<StoreProperties>;
    fetchFlow?: (request: { input: { flow: FlowName } }) => Promise<null>;
    startPayment?: () => Promise<PaymentSession>;
    confirmPayment?: () => Promise<null>;
    paymentStatus?: () => Promise<PurchaseState>;
  } = {},
  options?: TapOptions,
) => {
  const visitedPaths = [start];
  const externalUrls: string[] = [];
  const startedOrders: Order[] = [];
  let refuse: (fact: RefusalFact) => void = () => {};
  const routeAt = (path: string) => {
    const { pathname, search } = new URL(path, 'https://shop.example');
    return parseRoute({ pathname, search });
  };
  const history = channelPort<HistoryCommand, HistoryFact>(({ sendBack, receive }) => {
    sendBack({ type: 'history.changed', route: routeAt(start) });
    receive((command) => {
      if (command.type === 'history.leave') return void externalUrls.push(command.url);
      visitedPaths.push(command.to);
      sendBack({ type: 'history.changed', route: routeAt(command.to) });
    });
  });
  const app = createActor(
    shopMachine.provide({
      actors: {
        fetchFrame: safePort<null>(
          () => new Promise(() => {}),
          () => null,
        ),
        refusals: channelPort<EventObject, RefusalFact>(({ sendBack }) => {
          refuse = sendBack;
        }),
        boot: bootMachine.provide({
          actors: { storeProperties: requestPort<StoreProperties>(answers.store ?? (async () => store)) },
        }),
        location: locationMachine.provide({ actors: { history } }),
        session: sessionMachine.provide({
          actors: {
            restoreSession: requestPort<SignedInUser | null>(async () => answers.restoredUser ?? null),
            forgetSession: safePort<null>(
              async () => null,
              () => null,
            ),
            tabs: channelPort<EventObject, TabsFact>(() => {}),
          },
        }),
        categories: categoriesMachine.provide({ actors: { categoryTree: requestPort<Category[]>(async () => []) } }),
        screen: shopScreenMachine.provide({
          actors: {
            fetchFlow: requestPort<null, { flow: FlowName; isRetry: boolean }>(answers.fetchFlow ?? (async () => null)),
            title: titleMachine.provide({
              actors: {
                title: requestPort<Title, TitleReference>(async () => title),
                ownership: requestPort<Access, { titleId: string }>(async () => noAccess),
                relatedInView: channelPort<EventObject, { type: 'related.nearViewport' }>(() => {}),
                related: requestPort<RelatedShelf[], RelatedTitlesRequest>(async () => []),
                sharing: sharingMachine.provide({
                  actors: {
                    ways: safePort<SharingOptions, SharedTitle>(
                      async () => shareMethods,
                      () => shareMethods,
                    ),
                  },
                }),
              },
            }),
            signIn: signInMachine.provide({
              actors: {
                passkey: withoutPasskeys,
                signIn: requestPort<SignedInUser, { pii: { form: typeof form | null } }>(async () => customer),
              },
            }),
            purchase: purchaseMachine.provide({
              actors: {
                loadOffer: requestPort<Offer, OfferRequest>(async () => makeTitleOffer()),
                forgetPending: safePort<null, { of: PaidFor; titleId: string; isPaid: boolean }>(
                  async () => null,
                  () => null,
                ),
                payment: paymentMachine.provide({
                  actors: {
                    startPayment: requestPort<PaymentSession, Order>(async ({ input }) => {
                      startedOrders.push(input);
                      return answers.startPayment?.() ?? { transId: 't1', provider: 'test', url: 'https://pay.example/1' };
                    }),
                    confirmPayment: requestPort<null, Confirmation>(answers.confirmPayment ?? (async () => null)),
                    paymentStatus: requestPort<PurchaseState, OpenOrder>(answers.paymentStatus ?? (async () => paidState)),
                  },
                }),
              },
            }),
          },
        }),
      },
    }),
    { input: appInput, ...options },
  );
  return { app: app.start(), visitedPaths, externalUrls, startedOrders, refuse: (fact: RefusalFact) => refuse(fact) };
};

export const paidState: PurchaseState = {
  transId: 't1',
  titleId: '1001',
  status: 'paid',
  intentId: 'in1',
  url: null,
  reason: null,
};

/** Waits until all pending promises are settled; none of them takes time. */
export const flushPromises = async () => {
  for (let round = 0; round < 20; round += 1) await Promise.resolve();
};

type RunningFlow = { id: string; value: unknown; send: (event: EventObject) => void };
export const getScreen = (app: ActorRefFrom<typeof appMachine>) =>
  app.getSnapshot().children.screen as ActorRefFrom<typeof screenMachine>;

export const getFlow = (app: ActorRefFrom<typeof appMachine>): RunningFlow => {
  const flow = getScreen(app).getSnapshot().children['flow'] as unknown as ActorRefFrom<typeof titleMachine>;
  const snapshot = flow.getSnapshot();
  return { id: snapshot.machine.id, value: snapshot.value, send: (event) => flow.send(event as never) };
};
