import type { AnyEventObject, AnyMachineSnapshot } from 'xstate';
import type { giftMachine } from '../../../../machines/buying/gift.ts';
import type { GiftOffer } from '../../../../machines/buying/gift-context.ts';
import type { Outcome, PaymentOutput, PurchaseState } from '../../../../machines/buying/payment.ts';
import type { CreditBalance } from '../../../../machines/model/subscription.ts';
import type { Card } from '../../../../machines/model/card.ts';
import type { FlowInput } from '../../../../machines/flows/flow-input.ts';
import type { GiftLetter } from '../../../../machines/model/gift.ts';
import type { PaymentSession } from '../../../../machines/model/purchase.ts';
import { CheckoutPage } from '../../../browser/checkout-page.ts';
import { ShopPage } from '../../../browser/shop.ts';
import { standsRecorded, nextOf, returnToPage, stubGateway } from '../../causes.ts';
import { press } from '../../press.ts';
import type { Headings, Stage, World } from '../../stage.ts';
import { withStoreOf } from '../../store.ts';
import { cardsWire, fillFields, json, titleWire } from '../../wires.ts';
import { problems, type PathModel } from '../../../../machines/path-models/path-model.ts';
import { cartWire, saysSame } from '../cart/wires.ts';
import { taxed } from '../../../../machines/path-models/flows/checkout/paths.ts';
import { taxPort } from '../checkout/stage-helpers.ts';
import { form, models } from '../../../../machines/path-models/flows/gift/paths.ts';

const headings: Headings<typeof giftMachine> = {
  arriving: null,
  quoting: null,
  quoted: null,
  readingCards: null,
  readingCredits: null,
  writing: 'Give as a gift',
  previewing: 'Give as a gift',
  checking: 'Your gift',
  paying: /Taking you to the payment page|Paying|Checking your payment|Sending your gift/,
  paid: null,
  succeeded: null,
  failed: 'The payment didn’t go through',
  cancelled: 'Your gift hasn’t been sent',
  priceChanged: /The price has changed|Your cart has changed/,
  notOffered: 'This shop has no gifts',
  notForSale: /Not for sale at the moment|There’s nothing to give/,
  notFound: 'We couldn’t find that title',
  unavailable: 'We can’t prepare your gift right now',
};

type Context = {
  cardId: string | null;
  transId: string | null;
  addsTax?: true;
  tax?: unknown;
  outcome: Outcome | null;
  title: { free: boolean } | null;
  withCredits?: boolean;
  method?: string | null;
  pii: { form: unknown };
};

const TITLE = '1001';
const unknownPayment = '9999';

const isTakenUp = ({ transId }: Context): boolean => transId !== null;

/** Whether a payment comes to this end without the gateway. */
const comesTo = (context: Context, { outcome, problem }: PaymentOutput): boolean => {
  const isOfForm = problem?.kind === 'refused' && problem.code === 'gift_day';
  if (isTakenUp(context)) return ['succeeded', 'cancelled', 'notFound'].includes(outcome) || (outcome === 'failed' && !isOfForm);
  return ['failed', 'priceChanged', 'none'].includes(outcome);
};

const isPossible = (snapshot: AnyMachineSnapshot, event: AnyEventObject): boolean => {
  const context = snapshot.context as Context;
  switch (event.type) {
    case 'xstate.done.actor.giftOffer': {
      const { transId, pii } = event['output'] as GiftOffer;
      // What has ended is forgotten, and what was written is not.
      return context.outcome === null ? pii.draft === null : transId === null;
    }
    case 'xstate.done.actor.payment':
      return comesTo(context, event['output'] as PaymentOutput);
    case 'tax.told':
    case 'tax.outdated':
      // What is free costs none; once it is told it is asked for again by choosing another place, which is the tax's own tour.
      return context.addsTax === true && context.title?.free !== true && !context.tax && event['tax'] !== null;
    case 'leave':
      // The demo store adds no tax: what is paid with it is refused there.
      return (
        context.addsTax !== true &&
        !isTakenUp(context) &&
        context.cardId === null &&
        context.withCredits !== true &&
        !context.method &&
        context.title?.free !== true
      );
    case 'card.chosen':
      // A press on the one that is chosen already does nothing.
      return event['cardId'] !== context.cardId || context.withCredits === true || Boolean(context.method);
    case 'method.chosen':
      return event['method'] !== context.method;
    case 'credits.chosen':
      return context.withCredits !== true && snapshot.can(event as never);
    case 'page.returned':
      return isTakenUp(context);
    default:
      return true;
  }
};

const infoOf = () => JSON.stringify({ RecipientName: form.name, RecipientEmail: form.email });

const begins = async (world: World, ofCart: boolean): Promise<PaymentSession> => {
  const customer = await world.customer();
  if (ofCart) {
    await customer.ask('cart/add', { titleId: TITLE });
    return (await (await customer.ask('checkout/cart/session', { giftInfo: infoOf() })).json()) as PaymentSession;
  }
  return (await (await customer.ask('payment/session', { titleId: TITLE, giftInfo: infoOf() })).json()) as PaymentSession;
};

/** The browser remembers a gift's payment that it has begun and not finished. */
const rememberBegun = async (world: World, transId: string, ofCart: boolean): Promise<void> => {
  const { userId } = await world.customer();
  const tab = await world.context.newPage();
  await tab.goto(`${world.shop.url}/favicon.svg`);
  await tab.evaluate(([key, kept]) => localStorage.setItem(key, kept), [
    `colophon.pending-gift.${userId}`,
    JSON.stringify({ titleId: ofCart ? `cart ${TITLE} 9.99 USD` : TITLE, key: crypto.randomUUID(), transId }),
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
    output: { transId: 't1', titleId: TITLE, intentId: 'in1', url: 'https://pay.example/1', reason: null, status },
  });

const conclude = async (world: World, { outcome, problem }: PaymentOutput, takenUp: boolean): Promise<void> => {
  if (outcome === 'succeeded') return stands(world, 'paid');
  if (outcome === 'cancelled') return stands(world, 'cancelled');
  if (outcome === 'notFound') return answer(world, 'paymentStatus', { error: problems.notFound });
  if (outcome === 'priceChanged') return answer(world, 'startPayment', { error: problems.priceChanged });
  if (outcome === 'failed')
    return takenUp ? stands(world, 'failed') : answer(world, 'startPayment', { error: problem ?? problems.declined });
  await answer(world, 'startPayment', { error: problems.malformed });
  await new ShopPage(world.page).press('status.pressed').click();
  return stands(world, 'none');
};

const isReturning = ({ input }: PathModel): boolean => (input as FlowInput).route.params['transId'] !== undefined;

const isOfCart = ({ input }: PathModel): boolean => (input as FlowInput).route.params['of'] === 'cart';

export const stage: Stage = {
  name: 'gift',
  models,
  address: ({ route }: FlowInput) => route.path,
  startsSignedIn: () => true,
  prepares: async (world, model) => {
    await withStoreOf(world.page, model.input as FlowInput);
    const isKnown = !outcomesIn(world).includes('notFound');
    const ofCart = isOfCart(model);
    const page = ofCart ? '/cart/gift' : '/title/gift';
    if (isReturning(model)) return `${page}?transId=${isKnown ? (await begins(world, ofCart)).transId : unknownPayment}`;
    const offer = nextOf(world, 'giftOffer')?.['output'] as GiftOffer | undefined;
    if (offer !== undefined && offer.transId !== null)
      await rememberBegun(world, isKnown ? (await begins(world, ofCart)).transId : unknownPayment, ofCart);
    else if (ofCart && offer?.price != null) await (await world.customer()).ask('cart/add', { titleId: TITLE });
    return undefined;
  },
  arrives: standsRecorded,
  headings,
  isPossible,
  ports: {
    giftOffer: {
      asks: ({ pathname }) => /\/titles\/\d+$|\/cart\/titles$/.test(pathname),
      answer: ({ title, cart, credits }: GiftOffer) =>
        title === null ? cartWire(cart?.lines ?? []) : titleWire({ ...title, ...(credits === undefined ? {} : { credits }) }),
      says: ({ title, cart, credits }: GiftOffer, body) =>
        title === null
          ? saysSame(cart?.lines ?? [], body)
          : title.forSale &&
            !title.free &&
            body.includes('<ForSale>true</ForSale>') &&
            body.includes('<Credits>') === (credits !== undefined),
    },
    keptCards: {
      asks: ({ pathname }) => pathname.endsWith('/card/all'),
      answer: (kept: Card[]) => cardsWire(kept),
      says: (kept: Card[], body) => kept.length === 0 && !body.includes('<Card>'),
    },
    creditBalance: {
      asks: ({ pathname }) => pathname.endsWith('/credits/balance'),
      answer: ({ balance, currency, accepted }: CreditBalance) =>
        json({ CreditBalance: balance, CreditCurrency: currency, EnableBuyWithCredits: accepted }),
    },
    giftLetter: {
      asks: ({ pathname }) => pathname.endsWith('/gift/preview'),
      answer: ({ pii: { letter } }: { pii: { letter: GiftLetter } }) => json(letter),
      says: (_, body) => body.includes('"subject"'),
    },
    taxQuote: taxPort,
    startPayment: {
      asks: ({ pathname }) => /\/(payment\/session|checkout\/cart\/session|purchase\/free|purchase\/credits)$/.test(pathname),
      answer: (session: PaymentSession) => json(session),
      serverGives: ({ type }) => type.startsWith('xstate.done.'),
    },
    paymentStatus: {
      asks: ({ pathname }) => /\/(checkout\/session\/status|user\/gifts)$/.test(pathname),
      answer: (state: PurchaseState, { pathname }) => (pathname.endsWith('/gifts') ? json({ gifts: [] }) : json(state)),
      // What is still to be paid has the gateway's own page.
      says: ({ status }: PurchaseState, body) => body.includes(`"status":"${status}"`),
    },
  },
  causes: {
    'tax.told': (world) => answer(world, 'taxQuote', { output: taxed }),
    'tax.outdated': (world) => answer(world, 'taxQuote', { error: problems.priceChanged }),
    'gift.submitted': async (world, event) => {
      await fillFields(world, { ...form });
      await press(world, event);
    },
    'gift.rejected': async (world) => {
      await fillFields(world, { ...form, email: 'no address' });
      await press(world, { type: 'gift.submitted' });
    },
    'xstate.done.actor.payment': async (world, { output }, { context }) =>
      conclude(world, output as PaymentOutput, isTakenUp(context as Context)),
    leave: async (world) => {
      await answer(world, 'startPayment', { output: { transId: 't1', provider: 'test', url: 'https://pay.example/1' } });
      await new CheckoutPage(world.page).isAtGateway();
      await world.page.goto(`${world.shop.url}/favicon.svg`);
    },
    'credits.chosen': ({ flow }) => flow.locator('[data-event="credits.chosen"]').check(),
    'method.chosen': ({ flow }) => flow.locator('[data-event="method.chosen"]').check(),
    'card.chosen': ({ flow }, { cardId }) =>
      flow.locator(`[data-event="card.chosen"][data-value="${String(cardId ?? '')}"]`).check(),
    'page.returned': async (world) => {
      await stubGateway(world);
      await stands(world, 'pending');
      await new ShopPage(world.page).press('continue.pressed').click();
      await returnToPage(world);
    },
  },
};
