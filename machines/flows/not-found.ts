import { defineFlow } from './flow-definition.ts';

export const notFound = defineFlow({
  name: 'notFound',
  machine: 'browsing/static-pages',
  serverRendered: true,
  reads: [],
  routes: [
    {
      pattern: '/{page:404}',
      name: 'Page not found',
      spec: ['S2./404'],
      examples: ['/404'],
    },
    {
      pattern: '/{page:500}',
      name: 'Internal Server Error',
      spec: ['S2./500'],
      examples: ['/500'],
    },
  ],
});
