import { optional } from 'valibot';
import { text } from '../../settings/variable.ts';
import { createKeySchema, type PaymentProvider } from '../provider.ts';
import { createRazorpayGateway } from './razorpay-gateway.ts';

export const razorpay: PaymentProvider<'RAZORPAY_KEY_ID' | 'RAZORPAY_KEY_SECRET' | 'RAZORPAY_WEBHOOK_SECRET'> = {
  name: 'razorpay',
  variables: {
    RAZORPAY_KEY_ID: {
      ...createKeySchema('rzp'),
      isRequired: true,
      description: 'Razorpay’s key, sent to the page in `/config.json`',
    },
    RAZORPAY_KEY_SECRET: { schema: optional(text), isRequired: true, isSecret: true, description: 'the secret of that key' },
    RAZORPAY_WEBHOOK_SECRET: {
      schema: optional(text),
      isRequired: true,
      isSecret: true,
      description: 'the secret of a webhook at `/webhooks/razorpay`',
    },
  },
  readSettings: (values) => ({
    publicKey: values.RAZORPAY_KEY_ID,
    buildGateway: (timeout, names) =>
      createRazorpayGateway(
        {
          keyId: values.RAZORPAY_KEY_ID,
          keySecret: values.RAZORPAY_KEY_SECRET,
          webhookSecret: values.RAZORPAY_WEBHOOK_SECRET,
          timeout,
        },
        names,
      ),
  }),
};
