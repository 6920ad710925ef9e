import { expect } from '@playwright/test';
import type { AnyEventObject, AnyMachineSnapshot } from 'xstate';
import type { cartCheckoutMachine, CartOrder } from '../../../../machines/buying/cart-checkout.ts';
import type { Outcome, PaymentOutput, PurchaseState } from '../../../../machines/buying/payment.ts';
import type { FlowInput } from '../../../../machines/flows/flow-input.ts';
import type { PaymentSession } from '../../../../machines/model/purchase.ts';
import { problems, type PathModel } from '../../../../machines/path-models/path-model.ts';
import { ShopPage } from '../../../browser/shop.ts';
import { standsRecorded, nextOf, returnToPage, stubGateway } from '../../causes.ts';
import type { Headings, Port, Stage, World } from '../../stage.ts';
import { press } from '../../press.ts';
import { cardsWire, fillFields, json } from '../../wires.ts';
import type { Card } from '../../../../machines/model/card.ts';
import { CheckoutPage } from '../../../browser/checkout-page.ts';
import { cartWire, saysSame } from '../cart/wires.ts';
import { withStoreOf } from '../../store.ts';
import { taxed } from '../../../../machines/path-models/flows/checkout/paths.ts';
import { taxPort } from '../checkout/stage-helpers.ts';
import { models } from '../../../../machines/path-models/flows/cart-checkout/paths.ts';

const headings: Headings<typeof cartCheckoutMachine> = {
  arriving: null,
  quoting: null,
  quoted: null,
  readingCards: null,
  ready: 'Your purchase',
  applying: 'Your purchase',
  removing: 'Your purchase',
  paying: /Taking you to the payment page|Paying|Checking your payment/,
  paid: null,
  succeeded: null,
  failed: 'The payment didn’t go through',
  cancelled: 'Purchase cancelled',
  changed: 'Your cart has changed',
  notFound: 'We couldn’t find this payment',
  empty: 'There’s nothing to pay',
  unavailable: 'We can’t start your purchase right now',
};

type Context = {
  addsTax?: true;
  tax?: unknown;
  quote: CartOrder['quote'] | null;
  cardId: string | null;
  method?: string | null;
  transId: string | null;
  outcome: Outcome | null;
};

const TITLE = '1001';
const unknownPayment = '9999';

/** How a payment that begins comes to each of its ends without the gateway, and how one that is taken up does. */
const fresh: Outcome[] = ['failed', 'priceChanged', 'owned', 'none'];
const takenUp: Outcome[] = ['succeeded', 'failed', 'cancelled', 'notFound'];

const isPossible = (snapshot: AnyMachineSnapshot, event: AnyEventObject): boolean => {
  const context = snapshot.context as Context;
  const isTakenUp = context.transId !== null;
  switch (event.type) {
    case 'xstate.done.actor.cartOrder':
      // What has ended is forgotten.
      return context.outcome === null || (event['output'] as CartOrder).transId === null;
    case 'tax.told':
    case 'tax.outdated':
      // Once it is told it is asked for again by choosing another place, which is the tax's own tour.
      return context.addsTax === true && !context.tax && event['tax'] !== null;
    case 'code.submitted':
    case 'code.rejected':
      // The field stands there while no code is taken off.
      return context.quote?.off === undefined;
    case 'xstate.done.actor.payment':
      // The demo store adds no tax: what is paid with it is refused there.
      if (context.addsTax === true) return ['failed', 'priceChanged'].includes((event['output'] as PaymentOutput).outcome);
      return (isTakenUp ? takenUp : fresh).includes((event['output'] as PaymentOutput).outcome);
    case 'leave':
      return !isTakenUp && context.cardId === null && !context.method && context.addsTax !== true;
    case 'card.chosen':
      // A press on the one that is chosen already does nothing.
      return event['cardId'] !== context.cardId || Boolean(context.method);
    case 'method.chosen':
      return event['method'] !== context.method;
    case 'page.returned':
      return isTakenUp;
    default:
      return true;
  }
};

const begins = async (world: World): Promise<PaymentSession> => {
  const customer = await world.customer();
  await customer.ask('cart/add', { titleId: TITLE });
  return (await (await customer.ask('checkout/cart/session')).json()) as PaymentSession;
};

/** The browser remembers a payment of the cart that it has begun and not finished. */
const rememberBegun = async (world: World, transId: string): Promise<void> => {
  const { userId } = await world.customer();
  const tab = await world.context.newPage();
  await tab.goto(`${world.shop.url}/favicon.svg`);
  await tab.evaluate(([key, kept]) => localStorage.setItem(key, kept), [
    `colophon.pending-cart.${userId}`,
    JSON.stringify({ order: `${TITLE} 9.99 USD`, key: crypto.randomUUID(), transId }),
  ] as const);
  await tab.close();
};

const outcomesIn = ({ ahead }: World): Outcome[] =>
  ahead.flatMap(({ event }) => (event.type === 'xstate.done.actor.payment' ? [(event['output'] as PaymentOutput).outcome] : []));

/** Settles what is asked for, once. */
const answer = async (world: World, port: string, what: Omit<AnyEventObject, 'type'>): Promise<void> => {
  await world.settle({ type: `xstate.${'error' in what ? 'error' : 'done'}.actor.${port}`, ...what });
  world.hold(port);
};

const stands = (world: World, status: PurchaseState['status']): Promise<void> =>
  answer(world, 'paymentStatus', {
    output: { transId: 't1', titleId: '', intentId: 'in1', url: 'https://pay.example/1', reason: null, status },
  });

const conclude: Partial<Record<Outcome, (world: World, isTakenUp: boolean) => Promise<void>>> = {
  succeeded: (world) => stands(world, 'paid'),
  failed: (world, isTakenUp) =>
    isTakenUp ? stands(world, 'failed') : answer(world, 'startPayment', { error: problems.declined }),
  cancelled: (world) => stands(world, 'cancelled'),
  priceChanged: (world) => answer(world, 'startPayment', { error: problems.priceChanged }),
  owned: (world) => answer(world, 'startPayment', { error: problems.alreadyOwned }),
  notFound: (world) => answer(world, 'paymentStatus', { error: problems.notFound }),
  none: async (world) => {
    await answer(world, 'startPayment', { error: problems.malformed });
    await new ShopPage(world.page).press('status.pressed').click();
  },
};

/** The cart as it is, or as it is with a code. */
const cartPort = (withCode: boolean): Port => ({
  asks: ({ pathname, searchParams }) => pathname.endsWith('/cart/titles') && searchParams.has('code') === withCode,
  answer: ({ quote }: CartOrder) => cartWire(quote.lines),
  says: ({ quote }: CartOrder, body) => saysSame(quote.lines, body),
});

const isReturning = ({ input }: PathModel): boolean => (input as FlowInput).route.params['transId'] !== undefined;

export const stage: Stage = {
  name: 'cartCheckout',
  models,
  address: ({ route }: FlowInput) => route.path,
  startsSignedIn: () => true,
  prepares: async (world, model) => {
    await withStoreOf(world.page, model.input as FlowInput);
    const isKnown = !outcomesIn(world).includes('notFound');
    if (isReturning(model)) return `/cart/checkout?transId=${isKnown ? (await begins(world)).transId : unknownPayment}`;
    const order = nextOf(world, 'cartOrder')?.['output'] as CartOrder | undefined;
    if (order !== undefined && order.transId !== null)
      await rememberBegun(world, isKnown ? (await begins(world)).transId : unknownPayment);
    else if (order?.quote.total != null) await (await world.customer()).ask('cart/add', { titleId: TITLE });
    return undefined;
  },
  arrives: standsRecorded,
  headings,
  isPossible,
  ports: {
    cartOrder: cartPort(false),
    applyCode: cartPort(true),
    removeCode: cartPort(false),
    taxQuote: taxPort,
    keptCards: {
      asks: ({ pathname }) => pathname.endsWith('/card/all'),
      answer: (kept: Card[]) => cardsWire(kept),
      says: (kept: Card[], body) => kept.length === 0 && !body.includes('<Card>'),
    },
    startPayment: {
      asks: ({ pathname }) => pathname.endsWith('/checkout/cart/session'),
      answer: (session: PaymentSession) => json(session),
      serverGives: ({ type }) => type.startsWith('xstate.done.'),
    },
    paymentStatus: {
      asks: ({ pathname }) => pathname.endsWith('/checkout/session/status'),
      answer: (state: PurchaseState) => json(state),
      // What is still to be paid has the gateway's own page.
      says: ({ status }: PurchaseState, body) => body.includes(`"status":"${status}"`),
    },
  },
  causes: {
    'tax.told': (world) => answer(world, 'taxQuote', { output: taxed }),
    'tax.outdated': (world) => answer(world, 'taxQuote', { error: problems.priceChanged }),
    'xstate.done.actor.payment': async (world, { output }, { context }) =>
      conclude[(output as PaymentOutput).outcome]?.(world, (context as Context).transId !== null),
    leave: async (world) => {
      await answer(world, 'startPayment', { output: { transId: 't1', provider: 'test', url: 'https://pay.example/1' } });
      await new CheckoutPage(world.page).isAtGateway();
      await world.page.goto(`${world.shop.url}/favicon.svg`);
    },
    'code.submitted': async (world, event) => {
      await fillFields(world, { code: 'SPRING-20' });
      // The cart is read by one after the other, and the frame may be before.
      await world.letThrough('cartOrder');
      await press(world, event);
      await expect.poll(() => world.waiting('applyCode'), { message: 'the code is asked about' }).toBeGreaterThan(0);
      world.hold('cartOrder');
    },
    'code.rejected': async (world) => {
      await fillFields(world, { code: '' });
      await press(world, { type: 'code.submitted' });
    },
    'card.chosen': ({ flow }, { cardId }) =>
      flow.locator(`[data-event="card.chosen"][data-value="${String(cardId ?? '')}"]`).check(),
    'method.chosen': ({ flow }) => flow.locator('[data-event="method.chosen"]').check(),
    'page.returned': async (world) => {
      await stubGateway(world);
      await stands(world, 'pending');
      await new ShopPage(world.page).press('continue.pressed').click();
      await returnToPage(world);
    },
  },
};
