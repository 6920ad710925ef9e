import { subscribedPath } from '../../../../machines/model/paths.ts';
import type { AnyEventObject } from 'xstate';
import type { redeemMachine } from '../../../../machines/buying/redeem.ts';
import type { FlowInput } from '../../../../machines/flows/flow-input.ts';
import type { Offer } from '../../../../machines/model/buying/redeem.ts';
import { element, fields, listOf, Markup } from '../../../../server/base/xml/write.ts';
import { password } from '../../../browser/customer.ts';
import { ShopPage } from '../../../browser/shop.ts';
import { chooseLanguages } from '../../causes.ts';
import { press } from '../../press.ts';
import type { Headings, Stage } from '../../stage.ts';
import { withStoreOf } from '../../store.ts';
import { fillFields, titleElement, xml } from '../../wires.ts';
import type { PathModel } from '../../../../machines/path-models/path-model.ts';
import { models } from '../../../../machines/path-models/flows/redeem/paths.ts';

/** What was pressed before sign-in is taken up after it. */
const resumes = ({ input }: PathModel): boolean => (input as FlowInput).resume !== null;

const headings: Headings<typeof redeemMachine> = {
  deciding: null,
  typing: 'Redeem a code',
  keeping: 'Redeem a code',
  kept: null,
  loading: null,
  failed: 'We couldn’t check your code',
  signInNeeded: 'Sign in to use your code',
  offered: /Your code gives you|Ann Ferry is giving you a title/,
  choosing: 'Choose a title',
  payable: /Your code/,
  redeeming: /Your code gives you|Choose a title|Ann Ferry is giving you a title/,
  unknown: 'We don’t know yet whether your code was redeemed',
  redeemed: 'You’ve redeemed this code',
  owned: /You already have th/,
  refused: 'This code can’t be redeemed',
  closed: 'Redeem a code',
};

const offerWire = (offer: Offer) => {
  const { kind, titles, owned, plan, trialDays, credits, percentOff, redeemed, instanceId, pii } = offer;
  const summaries = titles.map((title) => titleElement(title).text).join('');
  return xml(
    element('Redemption', [
      fields({
        Kind: kind,
        PercentOff: percentOff,
        TrialDays: trialDays,
        Credits: credits,
        Redeemed: redeemed,
        InstanceId: instanceId,
        Titles: new Markup(summaries),
        Owned: listOf('TitleId', owned),
        Giver: pii?.giver,
        Message: pii?.message,
      }),
      ...(plan === null
        ? []
        : [
            element('Plan', [
              fields({
                PlanId: plan.id,
                Name: plan.name,
                Amount: plan.price?.amount,
                Currency: plan.price?.currency,
                CurrencySymbol: plan.price?.symbol,
                Interval: plan.interval,
              }),
            ]),
          ]),
    ]),
  );
};

const isAtPayment = ({ error }: AnyEventObject): boolean => (error as { code?: string } | undefined)?.code === 'code_at_payment';

const givenWire = (instanceId: string, { pathname }: URL) =>
  pathname.endsWith('/redeem/benefit')
    ? xml(element('Redemption', [fields({ Kind: 'credits', Redeemed: true })]))
    : xml(element('Purchases', [element('Purchase', [fields({ InstanceId: instanceId })])]));

export const stage: Stage = {
  name: 'redeem',
  models,
  address: ({ route }: FlowInput) => (route.path === '/redeem' ? '/redeem' : '/redeem/DEMO-TITLE'),
  startsSignedIn: (model) => (model.input as FlowInput).signedIn && !resumes(model),
  prepares: async (world, model) => {
    await withStoreOf(world.page, model.input as FlowInput);
    // Where the shop is left for its own page, there is nothing to show: this one stays, as it does while it is being left.
    await world.page.route(
      ({ pathname }) => pathname === subscribedPath,
      (request) => request.fulfill({ status: 204 }),
    );
    return resumes(model) ? '/signin?return=%2Fredeem%2FDEMO-TITLE&action=redeem' : undefined;
  },
  arrives: async ({ page, flow, customer }) => {
    if (new URL(page.url()).pathname === '/signin') await new ShopPage(page).signIn((await customer()).email, password);
    await flow.waitFor();
  },
  // Who came without a code is on another screen of the same flow with one, which a story shows.
  isPossible: ({ context }, event) => {
    const { hasCode, offer } = context as { hasCode: boolean; offer: Offer | null };
    // A title’s own call uses the code; a subscription may be begun with it instead.
    if (isAtPayment(event)) return offer?.kind === 'subscription';
    return event.type !== 'code.submitted' || hasCode;
  },
  reacts: ({ type }) => (type === 'leave' ? null : undefined),
  // The page that follows has no other code.
  isLast: ({ from: { snapshot }, event: { type }, to }) =>
    (to.snapshot.context as { offer: Offer | null }).offer?.kind === 'subscription' &&
    to.snapshot.value === 'redeemed' &&
    (type === 'continue.pressed' || snapshot.value === 'redeeming'),
  headings,
  // Without a request it is over before anybody can look at it.
  isPassing: ({ value }) => value === 'keeping' || value === 'kept',
  comesByItself: ({ type }) => /^xstate\.done\.actor\.(keepCode|recallCode)$/.test(type),
  ports: {
    lookUp: {
      asks: ({ pathname }) => pathname.endsWith('/redeem/apply'),
      answer: (offer: Offer) => offerWire(offer),
      says: ({ kind, owned, redeemed, pii }: Offer, body) =>
        kind === 'title' && pii === undefined && owned.length === 0 && !redeemed && body.includes('<Kind>title</Kind>'),
    },
    redeem: {
      asks: ({ pathname }) => /\/redeem\/(title|titles|benefit)$/.test(pathname),
      answer: (instanceId: string, url) => givenWire(instanceId, url),
    },
  },
  causes: {
    'code.submitted': async (world, event) => {
      await fillFields(world, { code: 'demo title' });
      await press(world, event);
    },
    'code.rejected': async (world) => {
      await fillFields(world, { code: '  ' });
      await press(world, { type: 'code.submitted' });
    },
    'language.changed': (world) => chooseLanguages(world),
  },
};
