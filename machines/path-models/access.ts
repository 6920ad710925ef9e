import type { Access } from '../model/buying/purchase.ts';

/** The customer has no access to the title. */
export const noAccess: Access = { instanceId: null, withSubscription: false };

/** The customer owns the title; `instanceId` is their copy. */
export const ownedAccess = (instanceId: string): Access => ({ instanceId, withSubscription: false });

/** The subscription opens the title; `instanceId` is null until the customer starts reading. */
export const subscriberAccess = (instanceId: string | null): Access => ({ instanceId, withSubscription: true });
