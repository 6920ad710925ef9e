import { Plural, Trans } from '@lingui/react/macro';
import type { ReactElement } from 'react';
import type { Problem } from '../../../machines/model/problem.ts';
import { genericFailure, tooManyAttempts, addDetail } from '../outage-text.tsx';

/** The texts for a declined payment, by the reason that the gateway or the server reports. */
const declineTexts: Record<string, ReactElement> = {
  card_declined: <Trans>Your bank declined the card. You haven’t been charged. Try another card.</Trans>,
  insufficient_funds: <Trans>Your card has insufficient funds. You haven’t been charged. Try another card.</Trans>,
  expired_card: <Trans>Your card has expired. You haven’t been charged. Try another card.</Trans>,
  authentication_failed: (
    <Trans>Your bank couldn’t verify that it was you. You haven’t been charged. Try again or use another card.</Trans>
  ),
  expired: <Trans>The payment page has expired. You haven’t been charged. Please try again.</Trans>,
};

const paymentFailed = <Trans>The payment didn’t go through. You haven’t been charged. Try again or use another card.</Trans>;

/** The texts for the server's refusals, by error code. */
export const refusalTexts: Record<string, ReactElement> = {
  not_found: <Trans>We couldn’t find that title in this shop.</Trans>,
  not_owned: <Trans>You don’t own this title yet.</Trans>,
  not_for_sale: <Trans>This title isn’t for sale right now.</Trans>,
  email_taken: <Trans>There’s already an account with this email address. Sign in instead.</Trans>,
  bad_email: <Trans>This doesn’t look like an email address.</Trans>,
  weak_password: <Trans>This password is too easy to guess. Choose a longer one.</Trans>,
  common_password: <Trans>Many people use this password, so it’s one of the first to be guessed. Choose another one.</Trans>,
  simple_password: <Trans>This password follows a simple pattern, so it’s easy to guess. Choose another one.</Trans>,
  password_is_email: <Trans>This password is your email address, so it’s easy to guess. Choose another one.</Trans>,
  password_is_shop: <Trans>This password is the name of this shop, so it’s easy to guess. Choose another one.</Trans>,
  bad_field: <Trans>Something in this form isn’t right. Reload the page and check every field.</Trans>,
  terms_not_agreed: <Trans>To create an account, you need to agree to the terms of service.</Trans>,
  insufficient_credits: <Trans>You don’t have enough credits. None have been taken.</Trans>,
  tax_place: <Trans>Tax depends on where you live. Please choose your country or region. You haven’t been charged.</Trans>,
  country_not_served: <Trans>This shop doesn’t sell to that country. You haven’t been charged.</Trans>,
  price_changed: <Trans>The price has changed since you last saw it.</Trans>,
  already_owned: <Trans>You already own this title. You haven’t been charged.</Trans>,
  free: <Trans>This title is free. There’s nothing to pay.</Trans>,
  not_free: <Trans>This title is no longer free.</Trans>,
  cancelled: <Trans>The payment was cancelled. You haven’t been charged.</Trans>,
  refunded: <Trans>This payment has been refunded.</Trans>,
  not_authorized: <Trans>Your payment isn’t complete yet. You haven’t been charged.</Trans>,
  payment_failed: paymentFailed,
  payment_unknown: <Trans>We don’t know yet whether your payment went through. You won’t be charged twice.</Trans>,
  payment_unavailable: (
    <Trans>Payments aren’t available right now. You haven’t been charged. Please try again in a moment.</Trans>
  ),
  conflict: <Trans>You’re already buying this title in another window.</Trans>,
  plan_unchanged: <Trans>This subscription can’t be changed right now. You haven’t been charged.</Trans>,
  plan_changing: <Trans>Another change to your subscription is still in progress. Please try again in a moment.</Trans>,
  subscription_over: <Trans>Your subscription has ended. You can subscribe again.</Trans>,
  not_resumable: <Trans>Your subscription can’t be kept: the payment service doesn’t allow it. You haven’t been charged.</Trans>,
  free_gifts_used: <Trans>You’ve sent as many free gifts as one day allows. You can send more tomorrow.</Trans>,
  too_many_attempts: tooManyAttempts,
  too_many_requests: tooManyAttempts,
  not_implemented: <Trans>This shop doesn’t offer that yet.</Trans>,
  ...declineTexts,
};

const MAX_SHOWN_MINUTES = 90;

/** The text about when the customer can retry after a rate limit. */
const formatRetryAfter = (seconds: number): ReactElement => {
  const minutes = Math.ceil(seconds / 60);
  if (minutes > MAX_SHOWN_MINUTES) {
    const hours = Math.ceil(minutes / 60);
    return <Trans>Too many attempts. Please try again in {hours} hours.</Trans>;
  }
  return (
    <Plural
      value={minutes}
      one="Too many attempts. Please try again in a minute."
      other="Too many attempts. Please try again in # minutes."
    />
  );
};

/** The text for a refusal; an unknown code shows the server's own message. */
export const formatRefusal = ({ code, message, retryAfterSeconds }: Extract<Problem, { kind: 'refused' }>): ReactElement => {
  if (code === 'declined') return declineTexts[message] ?? paymentFailed;
  const text = refusalTexts[code];
  if (text === tooManyAttempts && retryAfterSeconds !== undefined) return formatRetryAfter(retryAfterSeconds);
  if (text) return text;
  if (message === '') return genericFailure;
  return message.startsWith('JSON Error:') ? addDetail(genericFailure, message) : <>{message}</>;
};
