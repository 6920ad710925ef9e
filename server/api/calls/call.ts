import type { FastifyRequest } from 'fastify';
import type { operations } from '../../../src/client/wire/schema.gen.ts';
import type { Customer } from '../../accounts/tokens.ts';
import type { StoreLanguage } from '../../base/language.ts';
import type { Services } from '../../services.ts';
import type { Store } from '../../stores/stores.ts';
import type { Markup, MarkupStream } from '../../base/xml/write.ts';
import type { OperationId } from './contract.ts';

type Part<P, K extends string> = P extends { [key in K]?: infer V } ? NonNullable<V> : Record<never, never>;
/** A query with the contract's defaults, which the router fills in. */
type WithDefaults<Q> = Q & Required<Pick<Q, Extract<keyof Q, 'limit' | 'titletype'>>>;
type Body<O> = O extends { requestBody: { content: infer C } } ? C[keyof C] : undefined;

/** A call as its handler gets it: validated against the contract, in a known store. */
export type Call<Id extends OperationId = OperationId> = {
  services: Services;
  store: Store;
  /** the language of the response, and the store's main language */
  spoken: StoreLanguage;
  customer: Customer | undefined;
  query: WithDefaults<Part<operations[Id]['parameters'], 'query'>>;
  path: Part<operations[Id]['parameters'], 'path'>;
  body: Body<operations[Id]>;
  request: FastifyRequest;
  /**
   * Adds a Set-Cookie header to the response; only for calls whose responses are neither cached nor
   * repeated.
   */
  setCookie: (cookie: string) => void;
};

/** A call that requires a signed-in customer. */
export type CustomerCall<Id extends OperationId = OperationId> = Call<Id> & { customer: Customer };

type JsonAnswer<O> = O extends { responses: { 200: { content: { 'application/json': infer A } } } } ? A : Markup | MarkupStream;

/**
 * A handler's result: markup for an XML response, streamed if it is long; for a JSON response, the
 * contract's type.
 */
export type Answer<Id extends OperationId> = Promise<JsonAnswer<operations[Id]>>;

export type Handler = (call: CustomerCall) => Promise<unknown>;
