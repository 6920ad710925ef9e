import { useSelector } from '@xstate/react';
import type { ActorRefFrom } from 'xstate';
import type { Context } from '../../../machines/buying/purchase/context.ts';
import type { purchaseMachine } from '../../../machines/buying/purchase/purchase.ts';

export type PurchaseActor = ActorRefFrom<typeof purchaseMachine>;
export type PurchaseProps = { actor: PurchaseActor };

/** The context of the purchase. */
export const usePurchase = (actor: PurchaseActor): Context => useSelector(actor, ({ context }) => context);
