import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { PaymentPort } from './port.ts';

/** A message that does not come from the gateway, or cannot be read. */
export class BadNews extends Error {}

/**
 * Reads a message that a gateway sends by itself.
 * @param body as it was sent, which is what is signed
 * @returns the store's name for the payment or subscription that it is about; undefined where it is about nothing of the store's
 * @throws BadNews
 */
export type NewsReader = (body: Buffer, headers: IncomingHttpHeaders) => Promise<string | undefined>;

/** A gateway as the server runs it. */
export type Gateway = {
  port: PaymentPort;
  /** where its messages arrive; left out where it sends none */
  news?: { path: string; read: NewsReader };
  /** pages of ours that lead to it and back, where it needs some */
  pages?: (app: FastifyInstance) => void;
  /** checks what a customer brings back from it; left out where nothing has to be */
  verify?: (signed: { paymentId: string; subscriptionId: string; signature: string }) => boolean;
};
