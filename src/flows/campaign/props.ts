import type { ActorRefFrom } from 'xstate';
import type { campaignMachine } from '../../../machines/browsing/campaign.ts';

export type CampaignProps = { actor: ActorRefFrom<typeof campaignMachine> };
