import { withQuery } from './paths.ts';

/** A plan's page of subscribing. */
export const subscribingPath = (planId: string, code = ''): string =>
  withQuery('/subscription/purchase', { planid: planId, code });

/** Where those arrive who have subscribed. */
export const subscribedPath = '/subscription/purchase/success';
