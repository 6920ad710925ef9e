import { subscribedPath } from '../../../../machines/model/paths.ts';
import type { AnyEventObject } from 'xstate';
import type { redeemMachine } from '../../../../machines/buying/redeem.ts';
import type { FlowInput } from '../../../../machines/flows/flow-input.ts';
import type { CodeOffer } from '../../../../machines/model/buying/redeem.ts';
import { renderElement, renderFields, renderItems, Markup } from '../../../../server/base/xml/write.ts';
import { password } from '../../../browser/customer.ts';
import { ShopPage } from '../../../browser/shop.ts';
import { chooseLanguages } from '../../causes.ts';
import { press } from '../../press.ts';
import type { Headings, BrowserAdapter } from '../../browser-adapter.ts';
import { stubStore } from '../../store.ts';
import { fillFields, titleElement, xml } from '../../wires.ts';
import type { PathModel } from '../../../../machines/path-models/path-model.ts';
import { models } from '../../../../machines/path-models/flows/redeem/paths.ts';

/** Whether an action from before sign-in is resumed after it. */
const hasResumedAction = ({ input }: PathModel): boolean => (input as FlowInput).resume !== null;

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
  owned: /You already own th/,
  refused: 'This code can’t be redeemed',
  closed: 'Redeem a code',
};

const toOfferXml = (offer: CodeOffer) => {
  const { kind, titles, owned, plan, trialDays, credits, percentOff, redeemed, instanceId, pii } = offer;
  const summaries = titles.map((title) => titleElement(title).text).join('');
  return xml(
    renderElement('Redemption', [
      renderFields({
        Kind: kind,
        PercentOff: percentOff,
        TrialDays: trialDays,
        Credits: credits,
        Redeemed: redeemed,
        InstanceId: instanceId,
        Titles: new Markup(summaries),
        Owned: renderItems('TitleId', owned),
        Giver: pii?.giver,
        Message: pii?.message,
      }),
      ...(plan === null
        ? []
        : [
            renderElement('Plan', [
              renderFields({
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

const toRedemptionResponse = (instanceId: string, { pathname }: URL) =>
  pathname.endsWith('/redeem/benefit')
    ? xml(renderElement('Redemption', [renderFields({ Kind: 'credits', Redeemed: true })]))
    : xml(renderElement('Purchases', [renderElement('Purchase', [renderFields({ InstanceId: instanceId })])]));

export const adapter: BrowserAdapter = {
  name: 'redeem',
  models,
  address: ({ route }: FlowInput) => (route.path === '/redeem' ? '/redeem' : '/redeem/DEMO-TITLE'),
  startsSignedIn: (model) => (model.input as FlowInput).signedIn && !hasResumedAction(model),
  prepares: async (world, model) => {
    await stubStore(world.page, model.input as FlowInput);
    // Answers the shop's own page with nothing, so that the current page stays while the browser is
    // leaving.
    await world.page.route(
      ({ pathname }) => pathname === subscribedPath,
      (request) => request.fulfill({ status: 204 }),
    );
    return hasResumedAction(model) ? '/signin?return=%2Fredeem%2FDEMO-TITLE&action=redeem' : undefined;
  },
  arrives: async ({ page, flow, customer }) => {
    if (new URL(page.url()).pathname === '/signin') await new ShopPage(page).signIn((await customer()).email, password);
    await flow.waitFor();
  },
  // Entering a code leads to another screen of the flow, which an e2e test covers.
  isPossible: ({ context }, event) => {
    const { hasCode, offer } = context as { hasCode: boolean; offer: CodeOffer | null };
    // A title’s own call uses the code; a subscription may start with it instead.
    if (isAtPayment(event)) return offer?.kind === 'subscription';
    return event.type !== 'code.submitted' || hasCode;
  },
  reacts: ({ type }) => (type === 'leave' ? null : undefined),
  // The next page has no other code.
  isLast: ({ from: { snapshot }, event: { type }, to }) =>
    (to.snapshot.context as { offer: CodeOffer | null }).offer?.kind === 'subscription' &&
    to.snapshot.value === 'redeemed' &&
    (type === 'continue.pressed' || snapshot.value === 'redeeming'),
  headings,
  // Without a request the state ends before the test can observe it.
  isPassing: ({ value }) => value === 'keeping' || value === 'kept',
  comesByItself: ({ type }) => /^xstate\.done\.actor\.(keepCode|recallCode)$/.test(type),
  ports: {
    lookUp: {
      asks: ({ pathname }) => pathname.endsWith('/redeem/apply'),
      answer: (offer: CodeOffer) => toOfferXml(offer),
      says: ({ kind, owned, redeemed, pii }: CodeOffer, body) =>
        kind === 'title' && pii === undefined && owned.length === 0 && !redeemed && body.includes('<Kind>title</Kind>'),
    },
    redeem: {
      asks: ({ pathname }) => /\/redeem\/(title|titles|benefit)$/.test(pathname),
      answer: (instanceId: string, url) => toRedemptionResponse(instanceId, url),
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
