import { Trans } from '@lingui/react/macro';
import type { ReactElement } from 'react';
import { isGift, isCartPurchase } from '../../../machines/buying/purchase/offer.ts';
import type { Problem } from '../../../machines/model/problem.ts';
import type { PaidFor } from '../../../machines/model/buying/purchase.ts';
import { formatProblem } from '../../views/problem-text.ts';

const giftReasons: Record<string, ReactElement> = {
  gift_day: <Trans>This day has passed, or is more than a year away. Please choose another.</Trans>,
  gift_info: <Trans>Some of the recipient’s details don’t look right. Please check them.</Trans>,
  gift_link: <Trans>Web and email addresses aren’t allowed in the name or the message. Please remove them.</Trans>,
  giver_link: (
    <Trans>
      Your own name looks like a web or email address, and the recipient would read it. Please change it in your account first.
    </Trans>
  ),
  gifting_off: <Trans>This shop no longer offers gifts.</Trans>,
  conflict: <Trans>This gift is being paid for in another window.</Trans>,
};

const cartReasons: Record<string, ReactElement> = {
  conflict: <Trans>You’re already paying for one of these titles in another window.</Trans>,
  cart_empty: <Trans>There’s nothing to pay for in your cart.</Trans>,
};

const planNotOffered = <Trans>We couldn’t find this subscription. It may no longer be offered.</Trans>;

const planReasons: Record<string, ReactElement> = {
  conflict: <Trans>You’re already subscribing in another window.</Trans>,
  not_for_sale: planNotOffered,
  not_found: planNotOffered,
};

/** Why a purchase has failed, where the texts for one title would mislead. */
export const formatReason = (problem: Problem, of: PaidFor): ReactElement => {
  if (problem.kind !== 'refused') return formatProblem(problem);
  const { code } = problem;
  if (of === 'subscription' && /^(?:code|subscription_codes)_/.test(code))
    return <Trans>Your code can’t be used for this subscription. You can subscribe without it.</Trans>;
  const texts = {
    ...(isCartPurchase({ of }) ? cartReasons : {}),
    ...(isGift({ of }) ? giftReasons : {}),
    ...(of === 'subscription' ? planReasons : {}),
  };
  return texts[code] ?? formatProblem(problem);
};
