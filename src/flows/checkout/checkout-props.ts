import type { ActorRefFrom } from 'xstate';
import type { checkoutMachine } from '../../../machines/buying/checkout.ts';

export type CheckoutProps = { actor: ActorRefFrom<typeof checkoutMachine> };
