import { object, parse, string } from 'valibot';
import { isSigned } from '../gateway/signature.ts';
import { BadNews, type NewsReader } from './gateway.ts';

const messageSchema = object({ reference: string() });

/** Reads the messages of the test gateway, which signs them with the secret that shop and gateway share. */
export const testGatewayNews =
  (secret: string): NewsReader =>
  async (body, headers) => {
    const text = body.toString();
    const signature = String(headers['gateway-signature'] ?? '');
    if (!isSigned(text, signature, secret, Date.now())) throw new BadNews('The signature does not hold.');
    try {
      return parse(messageSchema, JSON.parse(text)).reference;
    } catch {
      throw new BadNews('This is no message.');
    }
  };
