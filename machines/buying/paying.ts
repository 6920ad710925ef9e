import type { Outcome } from './payment.ts';

/** While the payment runs: the way to the gateway's page, and word of who comes back from it. */
export const whilePaying = { leave: { actions: 'passOn' }, 'page.returned': { actions: 'tellPayment' } } as const;

/** A payment that has ended so leads to the state of that name. */
export const endsAs = <Ended extends Outcome>(outcome: Ended) =>
  ({ guard: { type: 'endedAs', params: outcome }, target: outcome }) as const;
