import { defineFlow } from '../../../machines/model/flow-definition.ts';

export const wishList = defineFlow({
  name: 'wishList',
  machine: 'browsing/wish-list',
  needsFrame: true,
  routes: [
    {
      pattern: '/wishlist',
      hides: ['sidebar', 'topFilter'],
      name: { en: 'Wish list', zh: '心愿单', es: 'Lista de deseos', fr: 'Liste d’envies', it: 'Lista dei desideri' },
      crawled: false,
      examples: ['/wishlist'],
    },
  ],
});
