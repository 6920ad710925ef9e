import { defineFlow } from './flow-definition.ts';

export const campaign = defineFlow({
  name: 'campaign',
  machine: 'browsing/campaign',
  serverRendered: true,
  reads: [],
  routes: [{ pattern: '/campaign/{campaign}', indexed: true, spec: ['S2./campaign'], examples: ['/campaign/spring'] }],
});
