import { isRecorded } from '../../causes.ts';
import type { AnyEventObject, AnyMachineSnapshot } from 'xstate';
import type { NewPrice, Quote, checkoutMachine } from '../../../../machines/buying/checkout.ts';
import type { FlowInput } from '../../../../machines/flows/flow-input.ts';
import { problemOf } from '../../../../machines/model/problem.ts';
import { element, fields } from '../../../../server/base/xml/write.ts';
import type { Outcome, PaymentOutput } from '../../../../machines/buying/payment.ts';
import { problems, type PathModel } from '../../../../machines/path-models/path-model.ts';
import { models, taxed } from '../../../../machines/path-models/flows/checkout/paths.ts';
import { password } from '../../../browser/customer.ts';
import { ShopPage } from '../../../browser/shop.ts';
import type { Headings, Port, Stage, World } from '../../stage.ts';
import { withStoreOf } from '../../store.ts';
import { titleWire, xml } from '../../wires.ts';
import { conclude, fresh, leave, returned, takenUp } from './outcomes.ts';
import {
  balancePort,
  cardsPort,
  comeBack,
  payByCardPort,
  rememberBegun,
  startPort,
  statusPort,
  taxPort,
  titles,
  unknownPurchase,
} from './stage-helpers.ts';

const headings: Headings<typeof checkoutMachine> = {
  arriving: null,
  quoting: null,
  quoted: null,
  readingCards: null,
  readingCredits: null,
  ready: 'Your purchase',
  applying: 'Your purchase',
  removing: 'Your purchase',
  paying: /Taking you to the payment page|Paying|Checking your payment|Adding the title to your library/,
  paid: null,
  succeeded: null,
  failed: 'The payment didn’t go through',
  cancelled: 'Purchase cancelled',
  priceChanged: 'The price has changed',
  owned: 'You already own this title',
  notForSale: 'Not for sale at the moment',
  notFound: 'We couldn’t find that title',
  unavailable: 'We can’t start your purchase right now',
};

type Context = {
  withCredits?: boolean;
  addsTax?: true;
  tax?: unknown;
  method?: string | null;
  isReduced?: boolean;
  cardId: string | null;
  transId: string | null;
  signedIn: boolean;
  outcome: Outcome | null;
  title: unknown;
};

const quoteOf = (event: AnyEventObject): Quote => event['output'] as Quote;

/** What the server can answer about a title, after what has happened to the payment. */
const canBeQuoted = ({ title, instanceId, transId }: Quote, { signedIn, outcome }: Context): boolean => {
  if (outcome === 'owned') return instanceId !== null;
  if (outcome !== null) return instanceId === null && transId === null && title.forSale;
  return signedIn || (instanceId === null && transId === null);
};

/** Of what a code makes cheaper, a tour only takes the code back: all else would look it up again. */
const ofReduced = ['code.removed', 'xstate.done.actor.removeCode', 'cancel.pressed'];
/** The demo store adds no tax: what is paid with it is refused there. */
const endsWithTax: Outcome[] = ['failed', 'priceChanged'];

const isPossible = (snapshot: AnyMachineSnapshot, event: AnyEventObject): boolean => {
  const context = snapshot.context as Context;
  const isTakenUp = context.transId !== null;
  if (context.isReduced === true && !ofReduced.includes(event.type)) return false;
  switch (event.type) {
    case 'xstate.done.actor.quote':
      return quoteOf(event).isReduced !== true && canBeQuoted(quoteOf(event), context);
    case 'xstate.done.actor.payment':
      if (context.addsTax === true) return endsWithTax.includes((event['output'] as PaymentOutput).outcome);
      return (isTakenUp ? takenUp : fresh).includes((event['output'] as PaymentOutput).outcome);
    case 'leave':
      return !isTakenUp && context.withCredits !== true && context.addsTax !== true && !context.method;
    case 'credits.chosen':
      return context.withCredits !== true;
    case 'card.chosen':
      // A press on the one that is chosen already does nothing.
      return context.withCredits === true || Boolean(context.method) || event['cardId'] !== context.cardId;
    case 'method.chosen':
      return event['method'] !== context.method;
    case 'tax.told':
    case 'tax.outdated':
      // It is taken back by choosing another place, which is the tax's own tour.
      return context.addsTax === true && context.signedIn && !context.tax && event['tax'] !== null;
    case 'page.returned':
      return isTakenUp;
    case 'retry.pressed':
      // Another address starts the purchase again.
      return snapshot.value === 'unavailable' || context.title !== null;
    default:
      return true;
  }
};

const isMissing = ({ error }: AnyEventObject): boolean => {
  const problem = error === undefined ? null : problemOf(error);
  return problem?.kind === 'refused' && problem.code === 'not_found';
};

const quotesIn = ({ ahead }: World): AnyEventObject[] =>
  ahead.map(({ event }) => event).filter(({ type }) => /^xstate\.(done|error)\.actor\.quote$/.test(type));

/** How the payments of the tour end. */
const outcomesIn = ({ ahead }: World): Outcome[] =>
  ahead.flatMap(({ event }) => (event.type === 'xstate.done.actor.payment' ? [(event['output'] as PaymentOutput).outcome] : []));

/** A title of which the server says what the tour wants to hear first. */
const titleFor = async (world: World): Promise<string> => {
  const [first] = quotesIn(world);
  if (first !== undefined && isMissing(first)) return titles.gone;
  const quote = quotesIn(world).find(({ type }) => type.startsWith('xstate.done.'));
  if (quote === undefined) return titles.sold;
  const { title, instanceId, transId } = quoteOf(quote);
  const isPaidBefore = world.ahead[0]?.event.type === 'xstate.done.actor.payment';
  if (instanceId !== null && !isPaidBefore) await (await world.customer()).buys(titles.sold);
  if (transId !== null) await rememberBegun(world, !outcomesIn(world).includes('notFound'));
  return title.forSale ? titles.sold : titles.unsold;
};

const quotePort: Port = {
  asks: ({ pathname }) => /\/api\/titles\/\d+$/.test(pathname),
  answer: ({ title, credits }: Quote) => titleWire({ ...title, ...(credits === undefined ? {} : { credits }) }),
  says: ({ title, credits }: Quote, body) =>
    body.includes(`<ForSale>${title.forSale}<`) && body.includes('<Credits>') === (credits !== undefined),
};

const codePort: Port = {
  asks: ({ pathname }) => pathname.endsWith('/redeem/apply'),
  answer: ({ price }: NewPrice) => {
    const { amount = 0, currency = '', symbol = '' } = price ?? {};
    const left = element('Price', [fields({ Amount: amount, Currency: currency, CurrencySymbol: symbol })]);
    return xml(element('Redemption', [fields({ Kind: 'discount' }), element('Prices', [left])]));
  },
};

const openCodeEntry = async ({ flow }: World): Promise<void> => {
  if (!(await flow.locator('input[name="code"]').isVisible())) await flow.locator('summary').click();
};

/** The library is asked by the quote, too. */
const statusOfBegun: Port = { ...statusPort, asks: ({ pathname }) => pathname.endsWith('/checkout/session/status') };

/** A code that an earlier tour of this page has left. */
const forgetCode = ({ page }: World): Promise<void> =>
  page.evaluate(() => sessionStorage.removeItem('colophon.code')).catch(() => {});

const paramsOf = ({ input }: PathModel) => (input as FlowInput).route.params;
/** What was pressed before sign-in; its price is the one that the server asks for the title. */
const resumeOf = ({ input }: PathModel): string | null => (input as FlowInput).resume;

export const stage: Stage = {
  name: 'checkout',
  models: models.filter(({ name }) => name === 'checkout'),
  sharesPage: true,
  address: ({ route: { params } }: FlowInput) =>
    params['transId'] === undefined
      ? `/title/purchase${params['titleid'] === undefined ? '' : `?titleid=${params['titleid']}`}`
      : `/checkout/complete?transId=${params['transId']}`,
  // What was pressed before sign-in is taken up after it.
  startsSignedIn: (model) => (model.input as FlowInput).signedIn && resumeOf(model) === null,
  prepares: async (world, model) => {
    await withStoreOf(world.page, model.input as FlowInput);
    await forgetCode(world);
    const { titleid, transId } = paramsOf(model);
    if (transId !== undefined) return outcomesIn(world).includes('notFound') ? unknownPurchase : comeBack(world);
    if (titleid === undefined) return undefined;
    const address = `/title/purchase?titleid=${await titleFor(world)}`;
    return resumeOf(model) === null ? address : `/signin?return=${encodeURIComponent(address)}&action=${resumeOf(model)}`;
  },
  arrives: async (world) => {
    const shop = new ShopPage(world.page);
    if (new URL(world.page.url()).pathname === '/signin') await shop.signIn((await world.customer()).email, password);
    await world.flow.waitFor();
    await isRecorded(world);
  },
  headings,
  isPossible,
  ports: {
    quote: quotePort,
    keptCards: cardsPort,
    creditBalance: balancePort,
    applyCode: codePort,
    taxQuote: taxPort,
    startPayment: startPort,
    payByCard: payByCardPort,
    paymentStatus: statusOfBegun,
  },
  // Without a request it is over before anybody can look at it.
  isPassing: ({ value }) => value === 'removing',
  comesByItself: ({ type }) => type === 'xstate.done.actor.removeCode',
  causes: {
    'code.submitted': async (world, { pii }) => {
      await openCodeEntry(world);
      await world.flow.locator('input[name="code"]').fill((pii as { form: { code: string } }).form.code);
      await world.flow.locator('[data-event="code.submitted"]').click();
    },
    'code.rejected': async (world) => {
      await openCodeEntry(world);
      await world.flow.locator('input[name="code"]').fill('');
      await world.flow.locator('[data-event="code.submitted"]').click();
    },
    'tax.told': (world) => world.settle({ type: 'xstate.done.actor.taxQuote', output: taxed }),
    'tax.outdated': (world) => world.settle({ type: 'xstate.error.actor.taxQuote', error: problems.priceChanged }),
    'xstate.done.actor.payment': (world, { output }, { context }) =>
      conclude(world, (output as PaymentOutput).outcome, (context as Context).transId !== null),
    leave: (world, _event, { context }) => leave(world, (context as Context).cardId !== null),
    'method.chosen': ({ flow }) => flow.locator('[data-event="method.chosen"]').check(),
    'credits.chosen': ({ flow }) => flow.locator('[data-event="credits.chosen"]').check(),
    'card.chosen': ({ flow }, { cardId }) =>
      flow.locator(`[data-event="card.chosen"][data-value="${String(cardId ?? '')}"]`).check(),
    'page.returned': returned,
  },
};
