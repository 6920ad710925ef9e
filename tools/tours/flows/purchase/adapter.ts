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
import { causeOutcome, leave, returnPending } from './outcomes.ts';
import { ports } from './ports.ts';
import { isPossible } from './possible.ts';
import { prepares } from './preparing.ts';

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

/** The code field is in a collapsed section, except in the summary of a cart. */
const typeCode = async (world: WalkContext, code: string): Promise<void> => {
  const field = world.flow.locator('input[name="code"]');
  if (!(await field.isVisible())) await world.flow.locator('summary').click();
  await field.fill(code);
};

export const adapter: BrowserAdapter = {
  name: 'purchase',
  models: models.filter(({ name }) => name === 'purchase'),
  address: ({ route }: FlowInput) => route.path,
  // An action from before sign-in is resumed after it.
  startsSignedIn: ({ input }) => (input as FlowInput).signedIn && (input as FlowInput).resume === null,
  prepares,
  arrives: async (world) => {
    const shop = new ShopPage(world.page);
    if (new URL(world.page.url()).pathname === '/signin') await shop.signIn((await world.customer()).email, password);
    await world.flow.waitFor();
    await waitForRecorder(world);
  },
  headings,
  innerHeading: ({ value, context }) =>
    value === 'succeeded' && (context as Context).of === 'subscription' ? 'You’re subscribed.' : undefined,
  isPossible,
  ports,
  // The next page does not load, so the current one stays.
  reacts: ({ type }, { value }) => (type === 'leave' && value === 'succeeded' ? null : undefined),
  // Without a request the state ends before the test can observe it.
  isPassing: ({ value, context }) => value === 'removing' && (context as Context).title !== null,
  comesByItself: ({ type, output }) => {
    const { cart, plan } = (output ?? {}) as Partial<NewPrice>;
    return type === 'xstate.done.actor.removeCode' && cart === null && plan === null;
  },
  causes: {
    'gift.submitted': async (world, event) => {
      await fillFields(world, { ...(event['pii'] as { form: GiftForm }).form });
      await press(world, event);
    },
    'gift.rejected': async (world) => {
      await fillFields(world, { ...form, email: 'no address' });
      await press(world, { type: 'gift.submitted' });
    },
    'code.submitted': async (world, event, { context }) => {
      await typeCode(world, (event['pii'] as { form: { code: string } }).form.code);
      const isOfCart = (context as Context).cart !== null;
      // Frame and page read the cart one after the other, in either order.
      if (isOfCart) await world.letThrough('offer');
      await press(world, event);
      await expect.poll(() => world.waiting('applyCode'), { message: 'the code is asked about' }).toBeGreaterThan(0);
      if (isOfCart) world.hold('offer');
    },
    'code.rejected': async (world) => {
      await typeCode(world, '');
      await press(world, { type: 'code.submitted' });
    },
    'tax.told': (world) => world.settle({ type: 'xstate.done.actor.taxQuote', output: knownTaxQuote }),
    'tax.outdated': (world) => world.settle({ type: 'xstate.error.actor.taxQuote', error: problems.priceChanged }),
    'xstate.done.actor.payment': (world, { output }, { context }) =>
      causeOutcome(world, output as PaymentOutput, context as Context),
    leave,
    'method.chosen': ({ flow }) => flow.locator('[data-event="method.chosen"]').check(),
    'credits.chosen': ({ flow }) => flow.locator('[data-event="credits.chosen"]').check(),
    'card.chosen': ({ flow }, { cardId }) =>
      flow.locator(`[data-event="card.chosen"][data-value="${String(cardId ?? '')}"]`).check(),
    'page.returned': returnPending,
  },
};
