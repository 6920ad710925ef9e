import { campaignMachine } from '../../../machines/browsing/campaign.ts';
import type { CampaignChange } from '../../../machines/browsing/campaign-setup.ts';
import type { Campaign, CampaignLine } from '../../../machines/model/catalogue/campaign.ts';
import { requestPort } from '../../../machines/ports.ts';
import { cart } from '../../client/cart/cart.ts';
import type { World } from '../../shell/app/world.ts';
import { campaignLines, changeCampaign, putBack, readCampaign, removeTitles } from './calls.ts';

export const flow = ({ api, asVisitor, own }: World) =>
  campaignMachine.provide({
    actors: {
      loadCampaign: requestPort<Campaign, { campaignId: string }>(async ({ input: { campaignId }, signal }) =>
        asVisitor((shop) => readCampaign(shop, campaignId, signal)),
      ),
      readLines: requestPort<CampaignLine[], { campaignId: string }>(async ({ input: { campaignId }, signal }) =>
        campaignLines(await api(), campaignId, signal),
      ),
      changeLines: requestPort<CampaignLine[], CampaignChange>(async ({ input, signal }) => {
        const lines = await changeCampaign(await api(), input, signal);
        own(cart).tellChanged();
        return lines;
      }),
      removeOwned: requestPort<CampaignLine[], { campaignId: string; titleIds: readonly string[] }>(async ({ input, signal }) => {
        try {
          return await removeTitles(await api(), input.campaignId, input.titleIds, signal);
        } finally {
          own(cart).tellChanged();
        }
      }),
      putBack: requestPort<CampaignLine[], { campaignId: string; titleIds: readonly string[] }>(async ({ input, signal }) => {
        try {
          return await putBack(await api(), input.campaignId, input.titleIds, signal);
        } finally {
          own(cart).tellChanged();
        }
      }),
    },
  });
