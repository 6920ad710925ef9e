import { Trans } from '@lingui/react/macro';
import type { ReactElement } from 'react';
import { couldNot, tooOften } from './outage-text.tsx';

/** Why a payment was not taken, by the reason that the gateway or the server gives. */
const declineTexts: Record<string, ReactElement> = {
  card_declined: <Trans>Your bank declined the card. Nothing was charged. Try another card.</Trans>,
  insufficient_funds: <Trans>There is not enough money on this card. Nothing was charged. Try another card.</Trans>,
  expired_card: <Trans>This card has expired. Nothing was charged. Try another card.</Trans>,
  authentication_failed: (
    <Trans>Your bank could not confirm that it was you. Nothing was charged. Try again, or use another card.</Trans>
  ),
  expired: <Trans>The payment page was open for too long. Nothing was charged. Please try again.</Trans>,
};

const notTaken = <Trans>The payment was not taken. Nothing was charged. Try again, or use another card.</Trans>;

/** What the server's refusals mean to a customer, by their stable code. */
export const refusalTexts: Record<string, ReactElement> = {
  not_found: <Trans>There is no such title in this shop.</Trans>,
  not_owned: <Trans>You do not own this title yet.</Trans>,
  not_for_sale: <Trans>This title is not for sale at the moment.</Trans>,
  email_taken: <Trans>There is already an account with this e-mail address. Sign in instead.</Trans>,
  bad_email: <Trans>This does not look like an e-mail address.</Trans>,
  weak_password: <Trans>This password is too easy to guess. Choose a longer one.</Trans>,
  terms_not_agreed: <Trans>An account needs your agreement to the terms of service.</Trans>,
  price_changed: <Trans>The price has changed since you last saw it.</Trans>,
  already_owned: <Trans>You own this title already. Nothing was charged.</Trans>,
  free: <Trans>This title is free: there is nothing to pay.</Trans>,
  not_free: <Trans>This title is no longer free.</Trans>,
  cancelled: <Trans>The payment was cancelled. Nothing was charged.</Trans>,
  not_authorized: <Trans>The payment has not been finished yet. Nothing was charged.</Trans>,
  payment_failed: notTaken,
  payment_unknown: <Trans>We do not know yet whether your payment went through. You will not be charged twice.</Trans>,
  too_many_attempts: tooOften,
  too_many_requests: tooOften,
  not_implemented: <Trans>This shop does not offer that yet.</Trans>,
  ...declineTexts,
};

/** The words for a refusal; a code that is not known speaks with the server's own sentence. */
export const refusalText = (code: string, message: string): ReactElement => {
  if (code === 'declined') return declineTexts[message] ?? notTaken;
  const known = refusalTexts[code];
  if (known) return known;
  return message === '' ? couldNot : <>{message}</>;
};
