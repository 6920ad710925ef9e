import { subscribedPath } from '../../../../machines/model/purchase-paths.ts';
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
import { fillFields, renderTitle, toXmlResponse } from '../../wires.ts';
import { models } from '../../../../machines/path-models/flows/redeem/paths.ts';
import { hasResumedAction, startsSignedInUnlessResumed } from '../../resumed-action.ts';

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
  const titlesXml = titles.map((title) => renderTitle(title).text).join('');
  return toXmlResponse(
    renderElement('Redemption', [
      renderFields({
        Kind: kind,
        PercentOff: percentOff,
        TrialDays: trialDays,
        Credits: credits,
        Redeemed: redeemed,
        InstanceId: instanceId,
        Titles: new Markup(titlesXml),
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
    ? toXmlResponse(renderElement('Redemption', [renderFields({ Kind: 'credits', Redeemed: true })]))
    : toXmlResponse(renderElement('Purchases', [renderElement('Purchase', [renderFields({ InstanceId: instanceId })])]));

export const adapter: BrowserAdapter = {
  name: 'redeem',
  models,
  getStartPath: ({ route }: FlowInput) => (route.path === '/redeem' ? '/redeem' : '/redeem/DEMO-TITLE'),
  startsSignedIn: startsSignedInUnlessResumed,
  prepare: async (walk, model) => {
    await stubStore(walk.page, model.input as FlowInput);
    // Responds to the next page of the shop with 204 No Content, so that the current page stays.
    await walk.page.route(
      ({ pathname }) => pathname === subscribedPath,
      (route) => route.fulfill({ status: 204 }),
    );
    return hasResumedAction(model) ? '/signin?return=%2Fredeem%2FDEMO-TITLE&action=redeem' : undefined;
  },
  openScreen: async ({ page, flow, getCustomer }) => {
    if (new URL(page.url()).pathname === '/signin') await new ShopPage(page).signIn((await getCustomer()).email, password);
    await flow.waitFor();
  },
  // Entering a code leads to another screen of the flow, which an e2e test covers.
  isPossible: ({ context }, event) => {
    const { hasCode, offer } = context as { hasCode: boolean; offer: CodeOffer | null };
    // The call for a title uses the code itself; only a subscription can use it in a payment.
    if (isAtPayment(event)) return offer?.kind === 'subscription';
    return event.type !== 'code.submitted' || hasCode;
  },
  getReaction: ({ type }) => (type === 'leave' ? null : undefined),
  // A redeemed subscription ends the walk: its next page has no form for another code.
  isLast: ({ from: { snapshot }, event: { type }, to }) =>
    (to.snapshot.context as { offer: CodeOffer | null }).offer?.kind === 'subscription' &&
    to.snapshot.value === 'redeemed' &&
    (type === 'continue.pressed' || snapshot.value === 'redeeming'),
  headings,
  // Without a request the state ends before the test can observe it.
  isTransient: ({ value }) => value === 'keeping' || value === 'kept',
  settlesByItself: ({ type }) => /^xstate\.done\.actor\.(saveCode|readSavedCode)$/.test(type),
  ports: {
    lookUp: {
      matches: ({ pathname }) => pathname.endsWith('/redeem/apply'),
      toResponse: (offer: CodeOffer) => toOfferXml(offer),
      isEquivalent: ({ kind, owned, redeemed, pii }: CodeOffer, body) =>
        kind === 'title' && pii === undefined && owned.length === 0 && !redeemed && body.includes('<Kind>title</Kind>'),
    },
    redeem: {
      matches: ({ pathname }) => /\/redeem\/(title|titles|benefit)$/.test(pathname),
      toResponse: (instanceId: string, url) => toRedemptionResponse(instanceId, url),
    },
  },
  causes: {
    'code.submitted': async (walk, event) => {
      await fillFields(walk, { code: 'demo title' });
      await press(walk, event);
    },
    'code.rejected': async (walk) => {
      await fillFields(walk, { code: '  ' });
      await press(walk, { type: 'code.submitted' });
    },
    'language.changed': (walk) => chooseLanguages(walk),
  },
};
