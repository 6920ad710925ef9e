import { defineFlow, type FramePart } from '../../../machines/model/flow-definition.ts';

const inDocuments: FramePart[] = ['sidebar', 'subscribe', 'search', 'library', 'explore', 'signIn', 'topFilter'];

export const information = defineFlow({
  name: 'information',
  machine: 'browsing/static-pages',
  painted: true,
  reads: [],
  routes: [
    {
      pattern: '/{page:about}',
      name: { en: 'About', zh: '关于', es: 'Acerca de', fr: 'À propos', it: 'Chi siamo' },
      indexed: true,
      listed: [{ path: '/about', where: 'About' }],
      spec: ['S2./about'],
      examples: ['/about'],
    },
    {
      pattern: '/{page:terms}',
      hides: inDocuments,
      name: { en: 'Terms', zh: '条款', es: 'Condiciones', fr: 'Conditions', it: 'Condizioni' },
      indexed: true,
      listed: [{ path: '/terms', where: 'TermsOfService' }],
      spec: ['S2./terms'],
      examples: ['/terms'],
    },
    {
      pattern: '/{page:privacy}',
      hides: inDocuments,
      name: { en: 'Privacy', zh: '隐私', es: 'Privacidad', fr: 'Confidentialité', it: 'Privacy' },
      indexed: true,
      listed: [{ path: '/privacy', where: 'PrivacyPolicy' }],
      spec: ['S2./privacy'],
      examples: ['/privacy'],
    },
  ],
});
