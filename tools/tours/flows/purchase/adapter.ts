import type { Context } from '../../../../machines/buying/purchase/context.ts';
import type { NewPrice } from '../../../../machines/buying/purchase/offer.ts';
import type { purchaseMachine } from '../../../../machines/buying/purchase/purchase.ts';
import type { PaymentOutput } from '../../../../machines/buying/payment-setup.ts';
import type { FlowInput } from '../../../../machines/flows/flow-input.ts';
import type { GiftForm } from '../../../../machines/model/buying/gift.ts';
import { problems } from '../../../../machines/path-models/path-model.ts';
import { form } from '../../../../machines/path-models/flows/purchase/offers.ts';
import { models } from '../../../../machines/path-models/flows/purchase/paths.ts';
import { knownTaxQuote } from '../../../../machines/path-models/flows/purchase/tax-paths.ts';
import { expect } from '@playwright/test';
import { password } from '../../../browser/customer.ts';
import { ShopPage } from '../../../browser/shop.ts';
import { waitForRecorder } from '../../causes.ts';
import { press } from '../../press.ts';
import type { Headings, BrowserAdapter, WalkContext } from '../../browser-adapter.ts';
import { fillFields } from '../../wires.ts';
import { causeOutcome, leaveForGateway, returnUnpaid } from './outcomes.ts';
import { ports } from './ports.ts';
import { isPossible } from './possible.ts';
import { prepare } from './preparing.ts';

const summaryHeadings = /Your purchase|Get this title|Your gift|Your subscription/;

const headings: Headings<typeof purchaseMachine> = {
  arriving: null,
  quoting: null,
  quoted: null,
  readingCards: null,
  readingCredits: null,
  offered: null,
  writing: 'Give as a gift',
  previewing: 'Give as a gift',
  ready: summaryHeadings,
  applying: summaryHeadings,
  removing: summaryHeadings,
  paying:
    /Taking you to the payment page|Paying|Checking your payment|Confirming your payment|Adding the title to your library|Sending your gift/,
  paid: null,
  succeeded: null,
  failed: /The payment didn’t go through|You haven’t subscribed/,
  cancelled: /Purchase cancelled|Your gift hasn’t been sent/,
  priceChanged: /The price has changed|Your cart has changed/,
  paymentNotFound: 'We couldn’t find this payment',
  owned: /You already own this title|You’re already subscribed/,
  notOffered: /This shop doesn’t offer gifts|Your subscription/,
  notForSale: /Not for sale right now|There’s nothing to (pay|give)/,
  notFound: /We couldn’t find that title|Your subscription/,
  unavailable: /We can’t start your purchase right now|We can’t prepare your gift right now/,
};

/** Types a code; except in the summary of a cart, its field is in a section to expand first. */
const typeCode = async (walk: WalkContext, code: string): Promise<void> => {
  const field = walk.flow.locator('input[name="code"]');
  if (!(await field.isVisible())) await walk.flow.locator('summary').click();
  await field.fill(code);
};

export const adapter: BrowserAdapter = {
  name: 'purchase',
  models: models.filter(({ name }) => name === 'purchase'),
  getStartPath: ({ route }: FlowInput) => route.path,
  // A resumed action was started as a visitor.
  startsSignedIn: ({ input }) => (input as FlowInput).signedIn && (input as FlowInput).resume === null,
  prepare,
  openScreen: async (walk) => {
    const shop = new ShopPage(walk.page);
    if (new URL(walk.page.url()).pathname === '/signin') await shop.signIn((await walk.getCustomer()).email, password);
    await walk.flow.waitFor();
    await waitForRecorder(walk);
  },
  headings,
  getNestedHeading: ({ value, context }) =>
    value === 'succeeded' && (context as Context).of === 'subscription' ? 'You’re subscribed.' : undefined,
  isPossible,
  ports,
  // The next page does not load, so the current page stays.
  getReaction: ({ type }, { value }) => (type === 'leave' && value === 'succeeded' ? null : undefined),
  // Without a request the state ends before the test can observe it.
  isTransient: ({ value, context }) => value === 'removing' && (context as Context).title !== null,
  settlesByItself: ({ type, output }) => {
    const { cart, plan } = (output ?? {}) as Partial<NewPrice>;
    return type === 'xstate.done.actor.removeCode' && cart === null && plan === null;
  },
  causes: {
    'gift.submitted': async (walk, event) => {
      await fillFields(walk, { ...(event['pii'] as { form: GiftForm }).form });
      await press(walk, event);
    },
    'gift.rejected': async (walk) => {
      await fillFields(walk, { ...form, email: 'no address' });
      await press(walk, { type: 'gift.submitted' });
    },
    'code.submitted': async (walk, event, { context }) => {
      await typeCode(walk, (event['pii'] as { form: { code: string } }).form.code);
      const isCartPurchase = (context as Context).cart !== null;
      // The frame and the page each read the cart, in either order.
      if (isCartPurchase) await walk.letThrough('offer');
      await press(walk, event);
      await expect.poll(() => walk.countHeldRequests('applyCode'), { message: 'applyCode sends its request' }).toBeGreaterThan(0);
      if (isCartPurchase) walk.hold('offer');
    },
    'code.rejected': async (walk) => {
      await typeCode(walk, '');
      await press(walk, { type: 'code.submitted' });
    },
    'tax.changed': (walk) => walk.settle({ type: 'xstate.done.actor.taxQuote', output: knownTaxQuote }),
    'tax.outdated': (walk) => walk.settle({ type: 'xstate.error.actor.taxQuote', error: problems.priceChanged }),
    'xstate.done.actor.payment': (walk, { output }, { context }) =>
      causeOutcome(walk, output as PaymentOutput, context as Context),
    leave: leaveForGateway,
    'method.chosen': ({ flow }) => flow.locator('[data-event="method.chosen"]').check(),
    'credits.chosen': ({ flow }) => flow.locator('[data-event="credits.chosen"]').check(),
    'card.chosen': ({ flow }, { cardId }) =>
      flow.locator(`[data-event="card.chosen"][data-value="${String(cardId ?? '')}"]`).check(),
    'page.returned': returnUnpaid,
  },
};
