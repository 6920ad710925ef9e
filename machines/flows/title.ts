import { defineFlow } from './flow-definition.ts';

export const title = defineFlow({
  name: 'title',
  machine: 'browsing/title',
  serverRendered: true,
  reads: [],
  routes: [
    {
      pattern: '/id:{titleId}/{name?}',
      indexed: true,
      spec: ['S2./id'],
      examples: ['/id:book', '/id:book/the-salt-road'],
    },
    {
      pattern: '/isbn:{isbn}/{name?}',
      indexed: true,
      spec: ['S2./isbn'],
      examples: ['/isbn:9780306406157', '/isbn:9780306406157/x'],
    },
  ],
});
