import { defineFlow } from './flow-definition.ts';
import { hiddenWhilePaying } from './hides.ts';

const name = 'Your purchase';

/** `of` is the kind of goods; `as` marks a gift. */
export const purchase = defineFlow({
  name: 'purchase',
  machine: 'buying/purchase/purchase',
  routes: [
    {
      pattern: '/{of:title}/purchase',
      keys: ['titleid'],
      hides: hiddenWhilePaying,
      name,
      crawled: false,
      spec: ['S2./title/purchase'],
      examples: ['/title/purchase?titleid=book'],
    },
    {
      pattern: '/checkout/complete',
      access: 'login',
      keys: ['transId'],
      hides: hiddenWhilePaying,
      name,
      spec: ['S2./checkout/complete', 'S2.login/checkout/complete'],
      examples: ['/checkout/complete?transId=t1'],
    },
    {
      pattern: '/{of:cart}/checkout',
      access: 'login',
      keys: ['transId'],
      hides: hiddenWhilePaying,
      name,
      spec: ['S2.login/cart/checkout'],
      examples: ['/cart/checkout', '/cart/checkout?transId=t1'],
    },
    {
      pattern: '/{of:title|cart}/{as:gift}',
      access: 'login',
      keys: ['titleid', 'transId'],
      hides: hiddenWhilePaying,
      name: 'A gift',
      examples: ['/title/gift?titleid=book', '/title/gift?transId=t1', '/cart/gift', '/cart/gift?transId=t1'],
    },
    {
      pattern: '/{of:subscription}/purchase',
      access: 'login',
      keys: ['planid', 'subscriptionid', 'intentId'],
      hides: hiddenWhilePaying,
      name: 'Your subscription',
      spec: ['S2.login/subscription/purchase'],
      examples: ['/subscription/purchase?planid=monthly'],
    },
  ],
});
