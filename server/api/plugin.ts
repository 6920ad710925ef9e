import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import openapiGlue from 'fastify-openapi-glue';
import { findCustomer } from '../accounts/tokens.ts';
import { findPreferredLanguage } from '../base/language.ts';
import { OverloadedError } from '../base/priority-gate.ts';
import type { Services } from '../services.ts';
import { sendSharedAnswer, type SharedAnswer } from '../stores/shared-answer-cache.ts';
import { isStorableText } from '../base/storable-text.ts';
import { Markup, MarkupStream, renderDocument } from '../base/xml/write.ts';
import { BadDocument, readXml } from '../base/xml/read.ts';
import type { Call, Handler } from './calls/call.ts';
import { loadContract, type Operation, type OperationId } from './calls/contract.ts';
import { handlers } from './handlers.ts';
import { MAX_PAGE_SIZE } from './catalogue/titles.ts';
import { UNAVAILABLE_RETRY_SECONDS } from '../database/unavailable.ts';
import { CallerGone, cancelReads } from '../database/cancel-reads.ts';
import { Idempotency, type StoredAnswer } from './calls/idempotency.ts';
import { limitOperation } from './calls/limits.ts';
import { DomainError, invalidStore, unauthorized, type ErrorKind } from '../kernel/errors.ts';
import { getErrorStatus, toErrorJson, toErrorXml } from './calls/error-answers.ts';

const CONTENT_TYPES = {
  xml: 'application/xml; charset=utf-8',
  json: 'application/json; charset=utf-8',
};
const MAX_BODY_BYTES = 64 * 1024;
const MAX_DEPTH = 32;

const getOperation = (request: FastifyRequest): Operation | undefined => request.routeOptions.config.operation;

declare module 'fastify' {
  interface FastifyContextConfig {
    operation?: Operation;
  }
}

/**
 * Serves every call of the contract below /api: validates the call, finds its store and customer,
 * and runs its handler.
 */
export async function apiPlugin(app: FastifyInstance, { services }: { services: Services }): Promise<void> {
  const idempotency = new Idempotency(services);

  app.removeContentTypeParser('text/plain');
  app.addContentTypeParser(
    ['text/xml', 'application/xml'],
    { parseAs: 'string', bodyLimit: MAX_BODY_BYTES },
    (request, body, done) => {
      try {
        const schema = request.routeOptions.schema?.body as { content?: Record<string, { schema?: object }> } | undefined;
        done(null, readXml(String(body), schema?.content?.['text/xml']?.schema ?? {}));
      } catch (error) {
        done(error instanceof BadDocument ? new DomainError('bad_request', error.message) : (error as Error));
      }
    },
  );
  app.addHook('preValidation', async (request) => assertKnownMediaType(request));
  app.addHook('preHandler', async (request) => assertStorable(request));
  app.setErrorHandler((error, request, reply) => sendError(error, request, reply));
  // A route rather than the not-found handler: the storefront's wildcard route would match first.
  app.all('/*', (request, reply) => sendError(createNoCallError(request), request, reply));
  app.addHook('onSend', async (_request, reply) => {
    reply.header('cache-control', 'no-store');
    reply.header('vary', [reply.getHeader('vary'), 'Accept-Language'].filter((name) => name !== undefined).join(', '));
  });

  await app.register(openapiGlue, {
    specification: loadContract(),
    operationResolver: (id: string) => createRouteHandler(services, idempotency, handlers[id as OperationId]),
  });
}

const createNoCallError = ({ method, url }: FastifyRequest): DomainError =>
  new DomainError('not_found', `The API has no call ${method} ${url.split('?', 1).join('')}.`);

/**
 * Checks the body's media type: the router validates only bodies of the contract's types, so a body
 * of any other type would reach a handler unchecked.
 * @throws DomainError unsupported_type
 */
function assertKnownMediaType(request: FastifyRequest): void {
  const schema = request.routeOptions.schema?.body as { content?: Record<string, unknown> } | undefined;
  if (!schema?.content) return;
  const mediaType = (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  const knownTypes = Object.keys(schema.content);
  if (!knownTypes.includes(mediaType))
    throw new DomainError('unsupported_type', `The body has the type "${mediaType}": expected ${knownTypes.join(' or ')}.`);
}

/**
 * Names the part of a value that the database cannot store: a text that is not well-formed, a
 * number that is not finite, or more than `MAX_DEPTH` levels; undefined if it can store the value.
 * A number such as 1e309 is parsed as Infinity, which the contract's ranges do not refuse.
 */
function findUnstorable(value: unknown, depth = 0): string | undefined {
  if (typeof value === 'string') return isStorableText(value) ? undefined : 'a text that is not well-formed, or contains NUL';
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : 'a number that is too large';
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth >= MAX_DEPTH) return `more than ${MAX_DEPTH} levels`;
  for (const [key, each] of Object.entries(value)) {
    const fault = findUnstorable(key) ?? findUnstorable(each, depth + 1);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

/** @throws DomainError bad_request for a value that cannot be stored or found */
function assertStorable({ query, params, body }: FastifyRequest): void {
  for (const [part, input] of Object.entries({ query, path: params, body })) {
    const fault = findUnstorable(input);
    if (fault !== undefined) throw new DomainError('bad_request', `The ${part} of the request has ${fault}.`);
  }
}

function createRouteHandler(services: Services, idempotency: Idempotency, handler: Handler | undefined) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const operation = getOperation(request);
    if (!operation) throw new Error(`The route ${request.routeOptions.url ?? request.method} has no operation.`);
    const call = await openCall(services, { request, reply }, operation);
    if (!handler) throw new DomainError('not_implemented', `The call ${operation.operationId} is not implemented.`);
    const run = () => handleCall(call, idempotency, { operation, handler }, reply);
    // Only customers get priority: a stranger cannot obtain it by calling a step of a purchase.
    return operation.hasPriority ? services.priorityGate.runPurchase(run) : run();
  };
}

async function handleCall(
  call: Parameters<Handler>[0],
  idempotency: Idempotency,
  { operation, handler }: { operation: Operation; handler: Handler },
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { services, request } = call;
  if (isShared(operation, call)) {
    const cacheKey = `${operation.operationId} ${call.spoken.language} ${toCacheKey(call)}`;
    const sharedAnswer = await services.sharedAnswers.getOrCreate(call.store, cacheKey, async () =>
      toSharedAnswer(operation, await handler(call)),
    );
    return sendSharedAnswer(request, reply, sharedAnswer);
  }
  const runWithLimits = async () => {
    await limitOperation(call, operation.operationId);
    return operation.isReadOnly ? cancelReads(createCloseSignal(reply), () => handler(call)) : handler(call);
  };
  const key = operation.acceptsIdempotencyKey ? request.headers['idempotency-key'] : undefined;
  if (typeof key === 'string') {
    const caller = { storeId: call.store.id, customerId: call.customer?.id };
    const runAndStore = async () => toAnswer(operation, await runWithLimits());
    return sendAnswer(
      reply,
      await idempotency.runOnce(caller, key, request, () =>
        runAndStore().catch((error: unknown) => toStoredError(operation, error)),
      ),
    );
  }
  const value = await runWithLimits();
  if (value instanceof MarkupStream) return reply.type(CONTENT_TYPES.xml).send(Readable.from(value.texts));
  return sendAnswer(reply, toAnswer(operation, value));
}

/**
 * Creates a signal that is aborted if the caller closes the connection before the response is sent.
 */
function createCloseSignal({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController();
  raw.once('close', () => {
    if (!raw.writableFinished) controller.abort();
  });
  return controller.signal;
}

/** Whether callers share one cached response. Long lists are streamed instead, and never cached. */
const isShared = ({ shared }: Operation, { customer, query }: Call): boolean =>
  (shared === 'everybody' || (shared === 'visitors' && customer === undefined)) &&
  !(Number(Reflect.get(query, 'limit')) > MAX_PAGE_SIZE);

/** Returns the cache key of a call, independent of its caller. */
const toCacheKey = ({ path, query }: Call): string =>
  JSON.stringify([path, { ...query, shelfid: undefined, accesstoken: undefined }]);

/**
 * Finds the call's store and customer. The handler of a call that requires a customer never runs
 * without a customer.
 */
async function openCall(
  services: Services,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  operation: Operation,
): Promise<Parameters<Handler>[0]> {
  const query = request.query as { shelfid?: string; accesstoken?: string };
  const store = query.shelfid === undefined ? undefined : await services.stores.findById(query.shelfid);
  if (!store) throw invalidStore();
  const ignoresToken = operation.access === 'open' || operation.shared === 'everybody';
  const token = ignoresToken ? undefined : query.accesstoken;
  const customer = token === undefined ? undefined : await findCustomer(services.db, store.id, token);
  // All events of the request carry the ids, http.request too.
  request.log = request.log.child({ store: store.id, ...(customer && { customer: customer.id }) });
  if (operation.access === 'login' && !customer) throw unauthorized();
  const call: Call = {
    services,
    store,
    spoken: { language: findPreferredLanguage(request.headers['accept-language']) ?? store.language, main: store.language },
    customer,
    query,
    path: request.params as never,
    body: request.body as never,
    request,
    setCookie(cookie) {
      if (operation.acceptsIdempotencyKey || operation.shared !== 'nobody')
        throw new Error(`${operation.operationId} must not set a cookie: its responses are repeated or cached.`);
      void reply.header('set-cookie', cookie);
    },
  };
  return call as Parameters<Handler>[0];
}

function toAnswer(operation: Operation, value: unknown): StoredAnswer {
  const body = operation.format === 'xml' && value instanceof Markup ? renderDocument(value) : JSON.stringify(value);
  return { status: 200, contentType: CONTENT_TYPES[operation.format], body };
}

function toSharedAnswer(operation: Operation, value: unknown): SharedAnswer {
  const { body, ...head } = toAnswer(operation, value);
  return { ...head, body: Buffer.from(body) };
}

const sendAnswer = (reply: FastifyReply, { status, contentType, body }: StoredAnswer): FastifyReply =>
  reply.code(status).type(contentType).send(body);

/**
 * Returns the refusal to store for repetitions; throws other errors. A rate limit is not stored:
 * its wait ends before the day for which responses are stored.
 */
function toStoredError(operation: Operation, error: unknown): StoredAnswer {
  if (!(error instanceof DomainError) || error.kind === 'too_many_requests') throw error;
  const body = operation.format === 'xml' ? toErrorXml(error) : toErrorJson(error);
  return { status: getErrorStatus(error), contentType: CONTENT_TYPES[operation.format], body };
}

type ThrownError = Error & {
  statusCode?: number;
  validationContext?: string;
  validation?: { instancePath: string; message?: string; params?: Record<string, unknown> }[];
};

/** Error kinds of refusals by the HTTP server itself, by status. */
const ERROR_KINDS: Record<number, ErrorKind> = { 413: 'too_large', 415: 'unsupported_type' };

/**
 * Converts a thrown error to a refusal. Unexpected errors are logged here, and reveal no details to
 * the caller.
 */
function toDomainError(error: ThrownError, operation: Operation | undefined, log: FastifyRequest['log']): DomainError {
  if (error instanceof DomainError) return error;
  // The caller has closed the connection, so it receives no response.
  if (error instanceof CallerGone) return new DomainError('unavailable', error.message);
  if (error.validation) {
    const firstIssue = error.validation[0];
    if (firstIssue?.instancePath === '/shelfid') return invalidStore();
    if (firstIssue?.instancePath === '/accesstoken') return unauthorized();
    return new DomainError('bad_request', `Invalid request: ${error.message}.`);
  }
  const details = { retryAfterSeconds: UNAVAILABLE_RETRY_SECONDS };
  if (error instanceof OverloadedError) {
    log.warn({ err: error, call: operation?.operationId }, 'api.call.overloaded');
    return new DomainError('unavailable', 'The shop is busy at the moment. Please try again.', { details });
  }
  const status = getErrorStatus(error);
  if (status < 500) return new DomainError(ERROR_KINDS[status] ?? 'bad_request', error.message);
  log.error({ err: error, call: operation?.operationId }, 'api.call.failed');
  if (status === 503)
    return new DomainError('unavailable', 'The shop cannot reach its database at the moment. Please try again.', { details });
  return new DomainError('internal', 'Something went wrong on our side.');
}

function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const operation = getOperation(request);
  const refusal = toDomainError(error instanceof Error ? error : new Error(String(error)), operation, request.log);
  const status = getErrorStatus(refusal);
  if (error instanceof DomainError || status < 500)
    request.log.info({ call: operation?.operationId, kind: refusal.kind, code: refusal.code }, 'api.call.refused');
  const format = operation?.format ?? (request.headers.accept?.includes('json') ? 'json' : 'xml');
  const retryAfter = refusal.details['retryAfterSeconds'];
  if (retryAfter !== undefined) void reply.header('retry-after', String(retryAfter));
  return reply
    .code(status)
    .type(CONTENT_TYPES[format])
    .send(format === 'xml' ? toErrorXml(refusal) : toErrorJson(refusal));
}
