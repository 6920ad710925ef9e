import { defineFlow, type FramePart } from './flow-definition.ts';

const hiddenInDocuments: FramePart[] = ['sidebar', 'subscribe', 'search', 'library', 'explore', 'signIn', 'topFilter'];

export const information = defineFlow({
  name: 'information',
  machine: 'browsing/static-pages',
  serverRendered: true,
  reads: [],
  routes: [
    {
      pattern: '/{page:about}',
      name: 'About',
      indexed: true,
      listed: [{ path: '/about', where: 'About' }],
      spec: ['S2./about'],
      examples: ['/about'],
    },
    {
      pattern: '/{page:terms}',
      hides: hiddenInDocuments,
      name: 'Terms',
      indexed: true,
      listed: [{ path: '/terms', where: 'TermsOfService' }],
      spec: ['S2./terms'],
      examples: ['/terms'],
    },
    {
      pattern: '/{page:privacy}',
      hides: hiddenInDocuments,
      name: 'Privacy',
      indexed: true,
      listed: [{ path: '/privacy', where: 'PrivacyPolicy' }],
      spec: ['S2./privacy'],
      examples: ['/privacy'],
    },
  ],
});
