import type Stripe from 'stripe';
import type { Intent } from '../port.ts';
import { minorOfStripe } from './amounts.ts';
import { keptCard, type StripeParts } from './cards.ts';
import { idOf, whole } from './expanded.ts';
import { subscriptionOf } from './subscriptions.ts';

type Failure = { code?: string; decline_code?: string } | null;

/** Why a card was not taken, in the words of the port. */
export function reasonOf(failure: Failure): string | null {
  if (failure === null) return null;
  const { code = 'payment_failed', decline_code: decline } = failure;
  if (decline === 'insufficient_funds' || code === 'insufficient_funds') return 'insufficient_funds';
  if (decline === 'expired_card' || code === 'expired_card') return 'expired_card';
  if (/authentication/.test(code)) return 'authentication_failed';
  return code === 'card_declined' ? 'card_declined' : 'payment_failed';
}

/** Nothing but a card that the store sends itself may pay it: a secret of the browser’s could try another one. */
const hasNoPage = ({ metadata }: { metadata: Stripe.Metadata | null }): boolean => metadata?.['page'] === 'none';

type Stage = Pick<Intent, 'state' | 'reason' | 'keptCard' | 'refundedMinor' | 'subscription'>;

export const stage = (state: Intent['state'], reason: string | null = null): Stage => ({
  state,
  reason,
  keptCard: null,
  refundedMinor: 0,
});

export async function stageOfPayment(parts: StripeParts, payment: Stripe.PaymentIntent): Promise<Stage> {
  const reason = reasonOf(payment.last_payment_error);
  switch (payment.status) {
    case 'requires_capture':
    case 'succeeded': {
      const method = whole(payment.payment_method);
      // Cards that were typed for this payment alone are not kept.
      const kept = method?.allow_redisplay === 'always' && !hasNoPage(payment) ? await keptCard(parts, method) : null;
      const refundedMinor = minorOfStripe(whole(payment.latest_charge)?.amount_refunded ?? 0, payment.currency);
      return { state: payment.status === 'succeeded' ? 'captured' : 'authorized', reason, keptCard: kept, refundedMinor };
    }
    case 'canceled':
      return stage(reason === null ? 'cancelled' : 'failed', reason);
    case 'requires_payment_method':
    case 'requires_confirmation':
      return stage('open', reason);
    case 'requires_action':
    case 'processing':
    default:
      return stage('action_required', reason);
  }
}

export async function stageOfSetup(parts: StripeParts, setup: Stripe.SetupIntent): Promise<Stage> {
  const reason = reasonOf(setup.last_setup_error);
  const { cancelled, failed, reference = '' } = setup.metadata ?? {};
  switch (setup.status) {
    case 'succeeded': {
      const subscription = await subscriptionOf(parts, idOf(setup.customer), reference);
      if (subscription) return { ...stage('captured'), subscription };
      if (failed !== undefined) return stage('failed', failed);
      return stage(cancelled === undefined ? 'authorized' : 'cancelled');
    }
    case 'canceled':
      return stage(reason === null ? 'cancelled' : 'failed', reason);
    case 'requires_payment_method':
    case 'requires_confirmation':
      return stage('open', reason);
    case 'requires_action':
    case 'processing':
    default:
      return stage('action_required', reason);
  }
}
