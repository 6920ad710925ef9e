import { defineFlow } from '../../../machines/model/flow-definition.ts';
import { whilePaying } from '../hides.ts';

export const gift = defineFlow({
  name: 'gift',
  machine: 'buying/gift',
  routes: [
    {
      pattern: '/title/gift',
      access: 'login',
      keys: ['titleid', 'transId'],
      hides: whilePaying,
      name: { en: 'A gift', zh: '礼物', es: 'Un regalo', fr: 'Un cadeau', it: 'Un regalo' },
      examples: ['/title/gift?titleid=book', '/title/gift?transId=t1'],
    },
    {
      pattern: '/{of:cart}/gift',
      access: 'login',
      keys: ['transId'],
      hides: whilePaying,
      name: { en: 'A gift', zh: '礼物', es: 'Un regalo', fr: 'Un cadeau', it: 'Un regalo' },
      examples: ['/cart/gift', '/cart/gift?transId=t1'],
    },
  ],
});
