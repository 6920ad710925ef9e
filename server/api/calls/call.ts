import type { FastifyRequest } from 'fastify';
import type { operations } from '../../../src/client/wire/schema.gen.ts';
import type { Customer } from '../../accounts/tokens.ts';
import type { StoreLanguage } from '../../base/language.ts';
import type { Services } from '../../services.ts';
import type { Store } from '../../stores/stores.ts';
import type { Markup, MarkupStream } from '../../base/xml/write.ts';
import type { OperationId } from './contract.ts';

type Part<P, K extends string> = P extends { [key in K]?: infer V } ? NonNullable<V> : Record<never, never>;
/** The router fills in the defaults that the contract names. */
type WithDefaults<Q> = Q & Required<Pick<Q, Extract<keyof Q, 'limit' | 'titletype'>>>;
type Body<O> = O extends { requestBody: { content: infer C } } ? C[keyof C] : undefined;

/** A call as its handler gets it: validated by the contract, in a known store. */
export type Call<Id extends OperationId = OperationId> = {
  services: Services;
  store: Store;
  /** the language of the answer */
  spoken: StoreLanguage;
  customer: Customer | undefined;
  query: WithDefaults<Part<operations[Id]['parameters'], 'query'>>;
  path: Part<operations[Id]['parameters'], 'path'>;
  body: Body<operations[Id]>;
  request: FastifyRequest;
  /**
   * Adds a Set-Cookie header to this answer; only for calls whose answers are neither cached nor
   * repeated.
   */
  setCookie: (cookie: string) => void;
};

/** The same for calls that need a customer. */
export type CustomerCall<Id extends OperationId = OperationId> = Call<Id> & { customer: Customer };

type JsonAnswer<O> = O extends { responses: { 200: { content: { 'application/json': infer A } } } } ? A : Markup | MarkupStream;

/** XML answers are markup, the longest ones streamed; JSON answers have the contract's type. */
export type Answer<Id extends OperationId> = Promise<JsonAnswer<operations[Id]>>;

export type Handler = (call: CustomerCall) => Promise<unknown>;
