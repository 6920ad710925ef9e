import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';

/** What the addresses are called that lead on from a signpost. */
export const signNames: Record<string, MessageDescriptor> = {
  forgotpassword: msg`Forgotten password`,
  resetpassword: msg`New password`,
  redeem: msg`Redeem a code`,
  purchase: msg`Your cart`,
  'cart/checkout': msg`Your cart`,
  'cart/purchase/success': msg`Your purchases`,
  'subscription/purchase': msg`Your subscription`,
  'subscription/purchase/success': msg`Your subscription`,
  auth0loginCallback: msg`Signing in`,
};
