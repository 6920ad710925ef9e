import { defineFlow } from './flow-definition.ts';
import { whilePaying } from './hides.ts';

export const gift = defineFlow({
  name: 'gift',
  machine: 'buying/gift',
  routes: [
    {
      pattern: '/title/gift',
      access: 'login',
      keys: ['titleid', 'transId'],
      hides: whilePaying,
      name: 'A gift',
      examples: ['/title/gift?titleid=book', '/title/gift?transId=t1'],
    },
    {
      pattern: '/{of:cart}/gift',
      access: 'login',
      keys: ['transId'],
      hides: whilePaying,
      name: 'A gift',
      examples: ['/cart/gift', '/cart/gift?transId=t1'],
    },
  ],
});
