import type { Access } from '../model/buying/purchase.ts';

/** The customer has no access to the title. */
export const noAccess: Access = { instanceId: null, withSubscription: false };

/** The customer owns the title; `instanceId` is their copy. */
export const ownedAccess = (instanceId: string): Access => ({ instanceId, withSubscription: false });

/** The customer's subscription opens the title; without a copy until they start reading. */
export const subscriberAccess = (instanceId: string | null): Access => ({ instanceId, withSubscription: true });
