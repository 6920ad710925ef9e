import * as v from 'valibot';
import { WEBHOOK_STATES } from '../gateway/news.ts';
import { isSigned } from '../base/signature.ts';
import { BadNews, type NewsReader } from './gateway.ts';
import { nameSchema, readJson, readShape, shape } from './webhook-body.ts';
import { realNow } from '../base/clock/time.ts';

const messageSchema = shape({ id: nameSchema, reference: nameSchema, state: v.string() });

/** Reads the messages of the test gateway, which signs them with the secret that shop and gateway share. */
export const testGatewayNews =
  (secret: string): NewsReader =>
  async (body, headers) => {
    const text = body.toString();
    const signature = String(headers['gateway-signature'] ?? '');
    if (!isSigned(text, signature, secret, realNow())) throw new BadNews('The signature does not hold.');
    const { reference, state } = readShape(readJson(text), messageSchema);
    return WEBHOOK_STATES.some((known) => known === state) ? reference : undefined;
  };
