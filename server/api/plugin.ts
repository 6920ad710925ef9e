import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import openapiGlue from 'fastify-openapi-glue';
import { findCustomer } from '../accounts/tokens.ts';
import { languageWanted } from '../base/language.ts';
import type { Services } from '../services.ts';
import { sendShared, type SharedAnswer } from '../stores/shared-answers.ts';
import { isStorableText } from '../base/storable-text.ts';
import { Markup, MarkupStream, xmlDocument } from '../base/xml/write.ts';
import { BadDocument, readXml } from '../base/xml/read.ts';
import type { Call, Handler } from './calls/call.ts';
import { loadContract, type Operation, type OperationId } from './calls/contract.ts';
import { handlers } from './handlers.ts';
import { PORTION } from './catalogue/titles.ts';
import { AWAY_RETRY_SECONDS } from '../database/away.ts';
import { CallerGone, cancelReads } from '../database/caller-gone.ts';
import { Idempotency, type KeptAnswer } from './calls/idempotency.ts';
import { limitOperation } from './calls/limits.ts';
import { DomainError, invalidStore, unauthorized, type ErrorKind } from '../kernel/errors.ts';
import { statusOf, toJson, toXml } from './calls/error-answers.ts';

const CONTENT_TYPES = {
  xml: 'application/xml; charset=utf-8',
  json: 'application/json; charset=utf-8',
};
const BODY_LIMIT = 64 * 1024;
const DEPTH_LIMIT = 32;

const operationOf = (request: FastifyRequest): Operation | undefined => request.routeOptions.config.operation;

declare module 'fastify' {
  interface FastifyContextConfig {
    operation?: Operation;
  }
}

/** Serves every call of the contract below /api: checks it, finds its store and customer, and runs its handler. */
export async function apiPlugin(app: FastifyInstance, { services }: { services: Services }): Promise<void> {
  const idempotency = new Idempotency(services);

  app.removeContentTypeParser('text/plain');
  app.addContentTypeParser(
    ['text/xml', 'application/xml'],
    { parseAs: 'string', bodyLimit: BODY_LIMIT },
    (request, body, done) => {
      try {
        const schema = request.routeOptions.schema?.body as { content?: Record<string, { schema?: object }> } | undefined;
        done(null, readXml(String(body), schema?.content?.['text/xml']?.schema ?? {}));
      } catch (error) {
        done(error instanceof BadDocument ? new DomainError('bad_request', error.message) : (error as Error));
      }
    },
  );
  app.addHook('preValidation', async (request) => refuseOtherMedia(request));
  app.addHook('preHandler', async (request) => refuseUnstorable(request));
  app.setErrorHandler((error, request, reply) => refuse(services, error, request, reply));
  // A route, not the not-found handler: the storefront's own wildcard would be matched before that.
  app.all('/*', (request, reply) =>
    refuse(services, new DomainError('not_found', 'There is no call at this address.'), request, reply),
  );
  app.addHook('onSend', async (_request, reply) => {
    reply.header('cache-control', 'no-store');
    reply.header('vary', [reply.getHeader('vary'), 'Accept-Language'].filter((name) => name !== undefined).join(', '));
  });

  await app.register(openapiGlue, {
    specification: loadContract(),
    operationResolver: (id: string) => serve(services, idempotency, handlers[id as OperationId]),
  });
}

/** The router checks the bodies whose media types it knows; a body of any other kind would reach a handler unchecked. */
function refuseOtherMedia(request: FastifyRequest): void {
  const schema = request.routeOptions.schema?.body as { content?: Record<string, unknown> } | undefined;
  if (!schema?.content) return;
  const given = (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  const known = Object.keys(schema.content);
  if (!known.includes(given)) throw new DomainError('unsupported_type', `The body must be of the type ${known.join(' or ')}.`);
}

/**
 * The database's whole numbers hold no infinity, which a text such as 1e309 becomes and no range of
 * the contract is applied to.
 */
function isStorable(value: unknown, depth = 0): boolean {
  if (typeof value === 'string') return isStorableText(value);
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || value === null) return true;
  return depth < DEPTH_LIMIT && Object.entries(value).every(([key, each]) => isStorable(key) && isStorable(each, depth + 1));
}

/** @throws DomainError bad_request for a value that could never be stored or found */
function refuseUnstorable({ query, params, body }: FastifyRequest): void {
  if (![query, params, body].every((part) => isStorable(part)))
    throw new DomainError('bad_request', 'The request holds what no text or number is, or is nested too deeply.');
}

function serve(services: Services, idempotency: Idempotency, handler: Handler | undefined) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const operation = operationOf(request);
    if (!operation) throw new Error('A route without its operation.');
    const call = await open(services, { request, reply }, operation);
    if (!handler) throw new DomainError('not_implemented', 'This call is not served yet.');
    const run = () => answerCall(call, idempotency, { operation, handler }, reply);
    // Those who buy are customers: a stranger does not get ahead by asking for it.
    return operation.goesFirst ? services.turns.purchase(run) : run();
  };
}

async function answerCall(
  call: Parameters<Handler>[0],
  idempotency: Idempotency,
  { operation, handler }: { operation: Operation; handler: Handler },
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { services, request } = call;
  if (isShared(operation, call)) {
    const what = `${operation.operationId} ${call.spoken.language} ${askedOf(call)}`;
    const shared = await services.sharedAnswers.of(call.store, what, async () => bytesOf(operation, await handler(call)));
    return sendShared(request, reply, shared);
  }
  const limited = async () => {
    await limitOperation(call, operation.operationId);
    return operation.onlyReads ? cancelReads(signalOf(reply), () => handler(call)) : handler(call);
  };
  const key = operation.takesKey ? request.headers['idempotency-key'] : undefined;
  if (typeof key === 'string') {
    const caller = { storeId: call.store.id, customerId: call.customer?.id };
    const run = async () => write(operation, await limited());
    return answer(
      reply,
      await idempotency.once(caller, key, request, () => run().catch((error: unknown) => keepRefusal(operation, error))),
    );
  }
  const value = await limited();
  if (value instanceof MarkupStream) return reply.type(CONTENT_TYPES.xml).send(Readable.from(value.texts));
  return answer(reply, write(operation, value));
}

/** Aborted when the caller closes the connection before its answer was sent. */
function signalOf({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController();
  raw.once('close', () => {
    if (!raw.writableFinished) gone.abort();
  });
  return gone.signal;
}

/** Long lists are sent while they are read, so they are never held as a whole. */
const isShared = ({ shared }: Operation, { customer, query }: Call): boolean =>
  (shared === 'everybody' || (shared === 'visitors' && customer === undefined)) &&
  !(Number(Reflect.get(query, 'limit')) > PORTION);

/** What a call asks for, whoever asks. */
const askedOf = ({ path, query }: Call): string =>
  JSON.stringify([path, { ...query, shelfid: undefined, accesstoken: undefined }]);

/** Finds whose call this is. A handler of a call that needs a customer never runs without one. */
async function open(
  services: Services,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  operation: Operation,
): Promise<Parameters<Handler>[0]> {
  const query = request.query as { shelfid?: string; accesstoken?: string };
  const store = query.shelfid === undefined ? undefined : await services.stores.byId(query.shelfid);
  if (!store) throw invalidStore();
  const isAnybodys = operation.access === 'open' || operation.shared === 'everybody';
  const token = isAnybodys ? undefined : query.accesstoken;
  const customer = token === undefined ? undefined : await findCustomer(services.db, store.id, token);
  if (operation.access === 'login' && !customer) throw unauthorized();
  const call: Call = {
    services,
    store,
    spoken: { language: languageWanted(request.headers['accept-language']) ?? store.language, main: store.language },
    customer,
    query,
    path: request.params as never,
    body: request.body as never,
    request,
    setCookie(cookie) {
      if (operation.takesKey || operation.shared !== 'nobody')
        throw new Error(`${operation.operationId} sets a cookie, but its answers are repeated or shared`);
      void reply.header('set-cookie', cookie);
    },
  };
  return call as Parameters<Handler>[0];
}

function write(operation: Operation, value: unknown): KeptAnswer {
  const body = operation.format === 'xml' && value instanceof Markup ? xmlDocument(value) : JSON.stringify(value);
  return { status: 200, contentType: CONTENT_TYPES[operation.format], body };
}

function bytesOf(operation: Operation, value: unknown): SharedAnswer {
  const { body, ...head } = write(operation, value);
  return { ...head, body: Buffer.from(body) };
}

const answer = (reply: FastifyReply, { status, contentType, body }: KeptAnswer): FastifyReply =>
  reply.code(status).type(contentType).send(body);

/** A refusal as it is repeated. A wait is over sooner than the day for which answers are kept. */
function keepRefusal(operation: Operation, error: unknown): KeptAnswer {
  if (!(error instanceof DomainError) || error.kind === 'too_many_requests') throw error;
  const body = operation.format === 'xml' ? toXml(error) : toJson(error);
  return { status: statusOf(error), contentType: CONTENT_TYPES[operation.format], body };
}

type Thrown = Error & {
  statusCode?: number;
  validationContext?: string;
  validation?: { instancePath: string; message?: string; params?: Record<string, unknown> }[];
};

/** Kinds of what the HTTP server refuses by itself. */
const KIND_OF_STATUS: Record<number, ErrorKind> = { 413: 'too_large', 415: 'unsupported_type' };

/** Makes a refusal of whatever was thrown. What is not a refusal is logged here and says nothing to the outside. */
function asRefusal(services: Services, error: Thrown): DomainError {
  if (error instanceof DomainError) return error;
  // No answer reaches the caller any more.
  if (error instanceof CallerGone) return new DomainError('unavailable', error.message);
  if (error.validation) {
    const first = error.validation[0];
    if (first?.instancePath === '/shelfid') return invalidStore();
    if (first?.instancePath === '/accesstoken') return unauthorized();
    return new DomainError('bad_request', `The request does not fit: ${error.message}.`);
  }
  const status = statusOf(error);
  if (status < 500) return new DomainError(KIND_OF_STATUS[status] ?? 'bad_request', error.message);
  services.log.error({ err: error }, 'a call failed');
  if (status === 503)
    return new DomainError('unavailable', 'The shop cannot reach its database at the moment. Please try again.', {
      details: { retryAfterSeconds: AWAY_RETRY_SECONDS },
    });
  return new DomainError('internal', 'Something went wrong on our side.');
}

function refuse(services: Services, error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const refusal = asRefusal(services, error instanceof Error ? error : new Error(String(error)));
  const format = operationOf(request)?.format ?? (request.headers.accept?.includes('json') ? 'json' : 'xml');
  const retryAfter = refusal.details['retryAfterSeconds'];
  if (retryAfter !== undefined) void reply.header('retry-after', String(retryAfter));
  return reply
    .code(statusOf(refusal))
    .type(CONTENT_TYPES[format])
    .send(format === 'xml' ? toXml(refusal) : toJson(refusal));
}
