import { defineFlow } from './flow-definition.ts';

export const landing = defineFlow({
  name: 'landing',
  machine: 'browsing/landing',
  serverRendered: true,
  reads: [],
  routes: [
    {
      pattern: '/',
      hides: ['home'],
      indexed: true,
      listed: [{ path: '/' }],
      spec: ['S2./'],
      examples: ['/'],
    },
  ],
});
