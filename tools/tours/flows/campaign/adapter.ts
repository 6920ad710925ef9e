import type { AnyEventObject } from 'xstate';
import type { campaignMachine } from '../../../../machines/browsing/campaign.ts';
import { getCampaignProgress, type Campaign, type CampaignLine } from '../../../../machines/model/catalogue/campaign.ts';
import type { FlowInput } from '../../../../machines/flows/flow-input.ts';
import { renderElement, renderFields } from '../../../../server/base/xml/write.ts';
import { signInPath } from '../../../../machines/model/paths.ts';
import { password } from '../../../browser/customer.ts';
import { ShopPage } from '../../../browser/shop.ts';
import { chooseLanguages } from '../../causes.ts';
import type { Headings, BrowserAdapter } from '../../browser-adapter.ts';
import { renderTitle, toXmlResponse } from '../../wires.ts';
import { titleSummary } from '../../../../machines/path-models/path-model.ts';
import { models } from '../../../../machines/path-models/flows/campaign/paths.ts';
import { hasResumedAction, startsSignedInUnlessResumed } from '../../resumed-action.ts';

const headings: Headings<typeof campaignMachine> = {
  loading: null,
  reading: null,
  shown: 'Evening reads',
  changing: 'Evening reads',
  removingOwned: 'Evening reads',
  puttingBack: 'Evening reads',
  notBegun: 'This offer hasn’t started yet',
  over: 'This offer is over',
  notFound: 'We couldn’t find that offer',
  failed: 'We couldn’t load this offer',
};

/** Dates that put a campaign into the model's state, independent of the current date. */
const timesByState: Record<Campaign['state'], object> = {
  notBegun: { StartsAt: '2099-01-01T00:00:00Z' },
  running: { EndsAt: '2099-01-01T00:00:00Z' },
  over: { EndsAt: '2020-01-01T00:00:00Z' },
};

const toCampaignXml = ({ id, name, html, state, buyCount, rewardCount, titles }: Campaign) =>
  toXmlResponse(
    renderElement('Campaign', [
      renderFields({ CampaignId: id, Name: name, Message: html, Buy: buyCount, Pick: rewardCount, ...timesByState[state] }),
      renderElement(
        'Offers',
        titles.map(({ title, isReward, price }) =>
          renderElement('Offer', [
            renderFields({
              TitleId: title.id,
              Reward: isReward,
              Amount: price?.amount,
              Currency: price?.currency,
              CurrencySymbol: price?.symbol,
            }),
          ]),
        ),
      ),
      renderElement(
        'Titles',
        titles.map(({ title }) => renderTitle(title)),
      ),
    ]),
  );

const toLinesXml = (lines: CampaignLine[]) =>
  toXmlResponse(
    renderElement('Cart', [
      renderFields({ Count: lines.length }),
      renderElement(
        'Titles',
        lines.map(({ titleId }) => renderTitle({ ...titleSummary, id: titleId })),
      ),
      renderElement(
        'Lines',
        lines.map(({ titleId, isReward, unpaid }) =>
          renderElement('Line', [
            renderFields({
              TitleId: titleId,
              Name: titleId,
              AddedAt: '2026-01-01T00:00:00Z',
              Owned: unpaid === 'owned',
              CampaignId: 'evening-reads',
              Reward: isReward,
            }),
          ]),
        ),
      ),
    ]),
  );

type Context = { campaign: Campaign | null; lines: CampaignLine[]; signedIn: boolean };

/** Whether the title's line has the event's button, and the button is enabled. */
const isButtonEnabled = ({ campaign, lines, signedIn }: Context, { type, titleId }: AnyEventObject): boolean => {
  const isInCart = lines.some((line) => line.titleId === titleId);
  if (type === 'title.removed') return isInCart;
  const offer = campaign?.titles.find(({ title }) => title.id === titleId);
  if (campaign === null || offer === undefined || isInCart) return false;
  const { isReached, chosen, toChoose } = getCampaignProgress(campaign, lines);
  return !signedIn || !offer.isReward || (isReached && chosen < toChoose);
};

const isRemoval = ({ pathname }: URL): boolean => pathname.endsWith('/cart/removeCampaign');
/** Whether a request is about the owned title, so that `removeOwned` has sent it. */
const isOwnedTitleCall = ({ searchParams }: URL): boolean => searchParams.get('titleId') === '1003';

export const adapter: BrowserAdapter = {
  name: 'campaign',
  models,
  reusesPage: true,
  getStartPath: ({ route }: FlowInput) => route.path,
  startsSignedIn: startsSignedInUnlessResumed,
  prepare: async (_walk, model) => {
    const { route, resume } = model.input as FlowInput;
    return hasResumedAction(model) ? signInPath({ return: route.path, action: resume ?? '' }) : undefined;
  },
  openScreen: async ({ page, flow, getCustomer }) => {
    if (new URL(page.url()).pathname === '/signin') await new ShopPage(page).signIn((await getCustomer()).email, password);
    await flow.waitFor();
  },
  headings,
  isPossible: ({ context }, event) => {
    if (event.type === 'campaign.removed') return (context as Context).lines.length > 0;
    return !['title.added', 'title.removed'].includes(event.type) || isButtonEnabled(context as Context, event);
  },
  causes: {
    'language.changed': (walk) => chooseLanguages(walk),
    'title.added': ({ flow }, { titleId }) => flow.locator(`[data-event="title.added"][data-value="${String(titleId)}"]`).click(),
    'title.removed': ({ flow }, { titleId }) =>
      flow.locator(`[data-event="title.removed"][data-value="${String(titleId)}"]`).click(),
  },
  ports: {
    loadCampaign: {
      matches: ({ pathname }) => pathname.endsWith('/campaign/titles'),
      toResponse: (campaign: Campaign) => toCampaignXml(campaign),
    },
    readLines: {
      matches: ({ pathname }) => pathname.endsWith('/cart/titles'),
      toResponse: (lines: CampaignLine[]) => toLinesXml(lines),
    },
    changeLines: {
      matches: (url) => url.pathname.endsWith('/cart/add') || (isRemoval(url) && !isOwnedTitleCall(url)),
      toResponse: (lines: CampaignLine[]) => toLinesXml(lines),
    },
    removeOwned: {
      matches: (url) => isRemoval(url) && isOwnedTitleCall(url),
      toResponse: (lines: CampaignLine[]) => toLinesXml(lines),
    },
    // The titles are put back one after another, by a request for each.
    putBack: {
      matches: ({ pathname }) => pathname.endsWith('/cart/add'),
      toResponse: (lines: CampaignLine[]) => toLinesXml(lines),
    },
  },
};
