import { defineFlow } from './flow-definition.ts';

export const page = defineFlow({
  name: 'page',
  machine: 'browsing/content-page',
  serverRendered: true,
  reads: [],
  routes: [
    {
      pattern: '/pages/{kind:public}/{page}',
      indexed: true,
      spec: ['S2./pages/public'],
      examples: ['/pages/public/about'],
    },
    {
      pattern: '/pages/{kind:private}/{page}',
      crawled: false,
      spec: ['S2./pages/private'],
      examples: ['/pages/private/members'],
    },
  ],
});
