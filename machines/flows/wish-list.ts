import { defineFlow } from './flow-definition.ts';

export const wishList = defineFlow({
  name: 'wishList',
  machine: 'browsing/wish-list',
  needsFrame: true,
  routes: [
    {
      pattern: '/wishlist',
      hides: ['sidebar', 'topFilter'],
      name: 'Wish list',
      crawled: false,
      examples: ['/wishlist'],
    },
  ],
});
