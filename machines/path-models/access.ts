import type { Access } from '../model/buying/purchase.ts';

/** A title that is not the customer's. */
export const notTheirs: Access = { instanceId: null, withSubscription: false };

/** One that they own, by their copy. */
export const theirs = (instanceId: string): Access => ({ instanceId, withSubscription: false });

/** One that their subscription opens; without a copy until they have begun it. */
export const subscribedTo = (instanceId: string | null): Access => ({ instanceId, withSubscription: true });
