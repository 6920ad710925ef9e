import type { ContentPage } from '../../../machines/model/page.ts';
import { pageMachine, type PageReference } from '../../../machines/browsing/page.ts';
import { requestPort } from '../../../machines/ports.ts';
import { campaignPage, contentPage } from './calls.ts';
import { api } from '../../client/open-client.ts';

export const flow = pageMachine.provide({
  actors: {
    page: requestPort<ContentPage, PageReference>(async ({ input, signal }) =>
      'campaign' in input ? campaignPage(await api(), input.campaign, signal) : contentPage(await api(), input.page, signal),
    ),
  },
});
