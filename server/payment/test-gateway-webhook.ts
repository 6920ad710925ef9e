import * as v from 'valibot';
import { WEBHOOK_STATES } from '../gateway/webhooks.ts';
import { isSigned } from '../base/signature.ts';
import { InvalidWebhook, type WebhookReader } from './gateway.ts';
import { nameSchema, parseJson, parseShape, shape } from './webhook-body.ts';
import { realNow } from '../base/clock/time.ts';

const messageSchema = shape({ id: nameSchema, reference: nameSchema, state: v.string() });

/**
 * Creates the reader of the test gateway's webhooks, which are signed with the secret that shop and
 * gateway share.
 */
export const createTestGatewayWebhookReader =
  (secret: string): WebhookReader =>
  async (body, headers) => {
    const text = body.toString();
    const signature = String(headers['gateway-signature'] ?? '');
    if (!isSigned(text, signature, secret, realNow())) throw new InvalidWebhook('Invalid webhook signature.');
    const { reference, state } = parseShape(parseJson(text), messageSchema);
    return WEBHOOK_STATES.some((knownState) => knownState === state) ? reference : undefined;
  };
