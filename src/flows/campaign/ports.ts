import { campaignMachine } from '../../../machines/browsing/campaign.ts';
import type { CampaignChange } from '../../../machines/browsing/campaign-setup.ts';
import type { Campaign, CampaignLine } from '../../../machines/model/catalogue/campaign.ts';
import { requestPort } from '../../../machines/ports.ts';
import { cart } from '../../client/cart/cart.ts';
import type { AppEnvironment } from '../../shell/app/environment.ts';
import { fetchCampaignLines, changeCampaign, addCampaignTitles, fetchCampaign, removeCampaignTitles } from './calls.ts';

export const flow = ({ api, asVisitor, scoped }: AppEnvironment) =>
  campaignMachine.provide({
    actors: {
      loadCampaign: requestPort<Campaign, { campaignId: string }>(async ({ input: { campaignId }, signal }) =>
        asVisitor((shop) => fetchCampaign(shop, campaignId, signal)),
      ),
      readLines: requestPort<CampaignLine[], { campaignId: string }>(async ({ input: { campaignId }, signal }) =>
        fetchCampaignLines(await api(), campaignId, signal),
      ),
      changeLines: requestPort<CampaignLine[], CampaignChange>(async ({ input, signal }) => {
        const lines = await changeCampaign(await api(), input, signal);
        scoped(cart).emitChanged();
        return lines;
      }),
      removeOwned: requestPort<CampaignLine[], { campaignId: string; titleIds: readonly string[] }>(async ({ input, signal }) => {
        try {
          return await removeCampaignTitles(await api(), input.campaignId, input.titleIds, signal);
        } finally {
          scoped(cart).emitChanged();
        }
      }),
      putBack: requestPort<CampaignLine[], { campaignId: string; titleIds: readonly string[] }>(async ({ input, signal }) => {
        try {
          return await addCampaignTitles(await api(), input.campaignId, input.titleIds, signal);
        } finally {
          scoped(cart).emitChanged();
        }
      }),
    },
  });
