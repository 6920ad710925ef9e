import type Stripe from 'stripe';
import type { Intent } from '../port.ts';
import { fromStripeAmount } from './amounts.ts';
import { toSavedCard, type StripeContext } from './cards.ts';
import { getExpandedId, getExpanded } from './expanded.ts';
import { findSubscription } from './subscriptions.ts';

type Failure = { code?: string; decline_code?: string } | null;

/** Maps Stripe's failure to a reason of the port. */
export function toReason(failure: Failure): string | null {
  if (failure === null) return null;
  const { code = 'payment_failed', decline_code: decline } = failure;
  if (decline === 'insufficient_funds' || code === 'insufficient_funds') return 'insufficient_funds';
  if (decline === 'expired_card' || code === 'expired_card') return 'expired_card';
  if (/authentication/.test(code)) return 'authentication_failed';
  return code === 'card_declined' ? 'card_declined' : 'payment_failed';
}

/**
 * Whether the object has no page: only a card that the server sends may pay it, although a browser
 * with the client secret could try another card.
 */
const hasNoPage = ({ metadata }: { metadata: Stripe.Metadata | null }): boolean => metadata?.['page'] === 'none';

type PaymentState = Pick<Intent, 'state' | 'reason' | 'keptCard' | 'refundedMinor' | 'subscription'>;

export const toState = (state: Intent['state'], reason: string | null = null): PaymentState => ({
  state,
  reason,
  keptCard: null,
  refundedMinor: 0,
});

export async function toPaymentState(context: StripeContext, payment: Stripe.PaymentIntent): Promise<PaymentState> {
  const reason = toReason(payment.last_payment_error);
  switch (payment.status) {
    case 'requires_capture':
    case 'succeeded': {
      const method = getExpanded(payment.payment_method);
      // Cards that were entered for this payment only are not saved.
      const savedCard = method?.allow_redisplay === 'always' && !hasNoPage(payment) ? await toSavedCard(context, method) : null;
      const refundedMinor = fromStripeAmount(getExpanded(payment.latest_charge)?.amount_refunded ?? 0, payment.currency);
      return { state: payment.status === 'succeeded' ? 'captured' : 'authorized', reason, keptCard: savedCard, refundedMinor };
    }
    case 'canceled':
      return toState(reason === null ? 'cancelled' : 'failed', reason);
    case 'requires_payment_method':
    case 'requires_confirmation':
      return toState('open', reason);
    case 'requires_action':
    case 'processing':
    default:
      return toState('action_required', reason);
  }
}

export async function toSetupState(context: StripeContext, setup: Stripe.SetupIntent): Promise<PaymentState> {
  const reason = toReason(setup.last_setup_error);
  const { cancelled, failed, reference = '' } = setup.metadata ?? {};
  switch (setup.status) {
    case 'succeeded': {
      const subscription = await findSubscription(context, getExpandedId(setup.customer), reference);
      if (subscription) return { ...toState('captured'), subscription };
      if (failed !== undefined) return toState('failed', failed);
      return toState(cancelled === undefined ? 'authorized' : 'cancelled');
    }
    case 'canceled':
      return toState(reason === null ? 'cancelled' : 'failed', reason);
    case 'requires_payment_method':
    case 'requires_confirmation':
      return toState('open', reason);
    case 'requires_action':
    case 'processing':
    default:
      return toState('action_required', reason);
  }
}
