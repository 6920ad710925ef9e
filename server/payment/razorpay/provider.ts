import type { PaymentProvider } from '../provider.ts';
import { razorpayGateway } from './razorpay-gateway.ts';

export const razorpay: PaymentProvider = {
  name: 'razorpay',
  variables: ['RAZORPAY_KEY_ID', 'RAZORPAY_KEY_SECRET', 'RAZORPAY_WEBHOOK_SECRET'],
  readSettings: ({ needed, neededKey }) => {
    const keyId = neededKey('RAZORPAY_KEY_ID', { live: /^rzp_live_\w+$/, test: /^rzp_test_\w+$/ });
    const [keySecret, webhookSecret] = [needed('RAZORPAY_KEY_SECRET'), needed('RAZORPAY_WEBHOOK_SECRET')];
    return {
      publicKey: keyId,
      make: (timeout, names) => razorpayGateway({ keyId, keySecret, webhookSecret, timeout }, names),
    };
  },
};
